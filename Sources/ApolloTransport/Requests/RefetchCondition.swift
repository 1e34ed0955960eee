/// Something that happens in an app, after which data may be old.
///
/// Events of one name are equal, whatever their payloads are.
public struct RefetchEvent: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The name of the event.
  public let name: String
  /// What an app tells with the event, such as the id of an account; nil if there is nothing to tell. A condition of
  /// ``RequestConfiguration/RefetchCondition/when(_:)`` sees it.
  public let payload: (any Sendable)?

  /// Makes an event of the app's own.
  ///
  /// - Parameters:
  ///   - name: The name of the event.
  ///   - payload: What is told with the event. nil, the default: nothing.
  public init(_ name: String, payload: (any Sendable)? = nil) {
    self.name = name
    self.payload = payload
  }

  /// Makes an event of the app's own.
  public init(stringLiteral name: String) { self.init(name) }

  /// Whether two events have the same name.
  public static func == (one: Self, other: Self) -> Bool { one.name == other.name }

  /// Takes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }

  /// The app is in the foreground again. On Apple's systems the client notices that by itself.
  public static let foreground = RefetchEvent("foreground")
  /// The app has gone to the background: watchers poll no more. On Apple's systems the client notices that by itself.
  public static let background = RefetchEvent("background")
  /// The network is there again. The client notices that by itself where its network monitor can tell, as on Apple's
  /// systems. Elsewhere the app tells it; see `ApolloClient.post(_:)`.
  public static let networkRestored = RefetchEvent("networkRestored")
}

extension RequestConfiguration {
  /// The events after which a watcher sends its query again.
  ///
  ///     RequestConfiguration(refetchesOn: [.foreground, "account changed"])
  ///     RequestConfiguration(refetchesOn: .when { $0.name == "account changed" && $0.payload as? String == id })
  ///     RequestConfiguration(refetchesOn: .never)  // whatever the client's own configuration says
  public struct RefetchCondition: Sendable, ExpressibleByArrayLiteral {
    private enum Rule {
      case some(Set<RefetchEvent>)
      case all
      case asked(@Sendable (RefetchEvent) -> Bool)
    }

    private let rule: Rule

    /// Some events.
    public init(arrayLiteral events: RefetchEvent...) { rule = .some(Set(events)) }

    /// Asks the app for each event.
    ///
    /// - Parameter isMet: Called with each event, in the thread that has posted it.
    /// - Returns: The condition.
    public static func when(_ isMet: @escaping @Sendable (RefetchEvent) -> Bool)
      -> RefetchCondition
    {
      RefetchCondition(.asked(isMet))
    }

    /// Every event, but for `RefetchEvent.background`.
    public static let always = RefetchCondition(.all)
    /// No event.
    public static let never = RefetchCondition(.some([]))

    private init(_ rule: Rule) { self.rule = rule }

    /// Whether an event is a reason to send the query again.
    package func isMet(_ event: RefetchEvent) -> Bool {
      switch rule {
      case .some(let events): events.contains(event)
      case .all: event != .background
      case .asked(let isMet): isMet(event)
      }
    }

    /// Whether another condition is met by the same events, as far as that can be told: two that ask the app are alike.
    package func isLike(_ other: Self) -> Bool {
      switch (rule, other.rule) {
      case (.some(let one), .some(let other)): one == other
      case (.all, .all), (.asked, .asked): true
      default: false
      }
    }
  }
}
