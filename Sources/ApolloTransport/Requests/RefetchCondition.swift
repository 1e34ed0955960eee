/// Something that happens in an app, after which data may be old.
public struct RefetchEvent: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The name of the event.
  public let name: String

  /// Makes an event of the app's own.
  public init(_ name: String) { self.name = name }

  /// Makes an event of the app's own.
  public init(stringLiteral name: String) { self.name = name }

  /// The app is in the foreground again. On Apple's systems the client notices that by itself.
  public static let foreground = RefetchEvent("foreground")
  /// The app has gone to the background: watchers poll no more. On Apple's systems the client notices that by itself.
  public static let background = RefetchEvent("background")
  /// The network is there again. The app tells it; see `ApolloClient.post(_:)`.
  public static let networkRestored = RefetchEvent("networkRestored")
}

extension RequestConfiguration {
  /// The events after which a watcher sends its query again.
  ///
  ///     RequestConfiguration(refetchesOn: [.foreground, "account changed"])
  public struct RefetchCondition: Sendable, ExpressibleByArrayLiteral {
    package let isMet: @Sendable (RefetchEvent) -> Bool

    /// Some events.
    public init(arrayLiteral events: RefetchEvent...) {
      let events = Set(events)
      isMet = { events.contains($0) }
    }

    /// Asks the app for each event.
    ///
    /// - Parameter isMet: Called with each event, in the thread that has posted it.
    /// - Returns: The condition.
    public static func when(_ isMet: @escaping @Sendable (RefetchEvent) -> Bool)
      -> RefetchCondition
    {
      RefetchCondition(isMet)
    }

    private init(_ isMet: @escaping @Sendable (RefetchEvent) -> Bool) { self.isMet = isMet }
  }
}
