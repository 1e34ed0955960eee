public import Apollo
public import ApolloAPI
public import ApolloTransport
public import Observation

/// A subscription for a screen: its last event, and how its connection is.
///
///     let reviews = EventState(ReviewAddedSubscription(), client: client)
///
/// It begins at once and ends when it is released. Objects of the events are in the cache, so that other states show them
/// too. (The name `SubscriptionState` is taken: it is the type of ``connection``.)
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
@MainActor
public final class EventState<Subscription: GraphQLSubscription>: Observable {
  /// The data of the last event that has some; nil before there is one.
  public private(set) var data: Subscription.Data? {
    get {
      _ = facts.data
      return values.data
    }
    set {
      values.data = newValue
      facts.data &+= 1
    }
  }
  /// The errors of fields in the last event, or those with which the server has ended the subscription.
  public var errors: [GraphQLError] { facts.errors }
  /// How the connection is; nil if nothing was subscribed to.
  public var connection: SubscriptionState? { facts.connection }
  /// Why the subscription has ended: an error of the connection such as a `URLError` or a `WebSocketError`; nil if no
  /// error has ended it.
  public var error: (any Error)? { facts.error }
  /// Called with each event, also where two come so fast that a screen shows only the second one.
  public var onEvent: ((GraphQLResult<Subscription.Data>) -> Void)?

  /// The subscription. Another one begins anew, without data. An equal one changes nothing.
  public var subscription: Subscription {
    get {
      _ = facts.subscription
      return values.subscription
    }
    set {
      guard newValue != values.subscription else { return }
      values.subscription = newValue
      facts.subscription &+= 1
      data = nil
      restart()
    }
  }

  /// Whether it listens to nothing. The default is false. What was shown stays.
  public var isSkipped: Bool {
    get { facts.isSkipped }
    set {
      guard newValue != facts.isSkipped else { return }
      facts.isSkipped = newValue
      restart()
    }
  }

  private struct Values {
    var subscription: Subscription
    var data: Subscription.Data?
  }

  private let facts = EventFacts()
  private var values: Values
  private let client: ApolloClient?
  private var signOutListener: SignOutListener?
  private let requestConfiguration: RequestConfiguration?
  private var tasks: [Task<Void, Never>] = []

  /// Makes a state, which begins at once.
  ///
  /// - Parameters:
  ///   - subscription: The subscription, with its variables.
  ///   - client: Listens to it. nil: the state has an error that says so.
  ///   - requestConfiguration: What is different for this subscription. nil, the default: nothing.
  ///   - isSkipped: Whether it waits until ``isSkipped`` is set to false. The default is false.
  ///   - onEvent: Called with each event. nil, the default: nothing is.
  public init(
    _ subscription: Subscription, client: ApolloClient?, requestConfiguration: RequestConfiguration? = nil,
    isSkipped: Bool = false, onEvent: ((GraphQLResult<Subscription.Data>) -> Void)? = nil
  ) {
    values = Values(subscription: subscription)
    self.client = client
    self.requestConfiguration = requestConfiguration
    facts.isSkipped = isSkipped
    self.onEvent = onEvent
    // What it shows is for the user of now.
    signOutListener = client.map { SignOutListener($0) { [weak self] in self?.forget() } }
    restart()
  }

  deinit { for task in tasks { task.cancel() } }

  /// Subscribes anew, such as after an ``error``. What is shown stays until an event comes.
  public func restart() {
    for task in tasks { task.cancel() }
    tasks = []
    (facts.error, facts.errors, facts.connection) = (nil, [], nil)
    guard !isSkipped else { return }
    guard let client else { return facts.error = StateError.noClient }
    let events = client.subscribe(to: subscription, requestConfiguration: requestConfiguration)
    facts.connection = events.state
    let states = events.states
    tasks = [
      Task { [weak self] in
        for await state in states {
          if Task.isCancelled { return }
          self?.facts.connection = state
        }
      },
      Task { [weak self] in
        do {
          for try await event in events {
            if Task.isCancelled { return }
            self?.receive(event)
          }
        } catch {
          if !Task.isCancelled { self?.fail(error) }
        }
      },
    ]
  }

  private func receive(_ event: GraphQLResult<Subscription.Data>) {
    if let data = event.data { self.data = data }
    if errors != event.errors ?? [] { facts.errors = event.errors ?? [] }
    onEvent?(event)
  }

  private func fail(_ error: any Error) {
    // An event may have been on its way to this state.
    if error.isSignOut { forget() }
    // (Its cause has the message of the first one alone.)
    let ends = (error as? any ApolloError)?.graphQLErrors ?? []
    if !ends.isEmpty, errors != ends { facts.errors = ends }
    facts.error = OperationError.unwrap(error)
  }

  /// Forgets what was for the user who is gone. Why it has ended stays.
  private func forget() {
    data = nil
    if !errors.isEmpty { facts.errors = [] }
    if error?.isSignOut == false { facts.error = nil }
  }
}
