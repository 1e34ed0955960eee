import ApolloAPI
public import Foundation

extension ApolloStore {
  /// Tells the time: when a response is written, its fields get this date, and their age is the difference from it. The
  /// default is the date of the client's clock, which is that of the device unless its configuration has another one. Tests
  /// replace it.
  ///
  ///     store.clock = { Date(timeIntervalSince1970: 1_800_000_000) }
  public var clock: @Sendable () -> Date {
    get { engine.ageSettings.date }
    set { engine.changeAges { $0.ownDate = newValue } }
  }

  /// How many seconds old a value may be for which neither the schema nor the operation nor ``maxAgeProvider`` says it.
  /// nil, the default: any number. A negative number, or one that is not a number, stands for 0: the server is always
  /// asked.
  public var defaultMaxAge: TimeInterval? {
    get { engine.ageSettings.defaultMaxAge }
    set { engine.changeAges { $0.defaultMaxAge = newValue } }
  }

  /// Says how old values may be, in place of what the schema and the operations say. nil, the default: they decide.
  public var maxAgeProvider: (any MaxAgeProvider)? {
    get { engine.ageSettings.maxAgeProvider }
    set { engine.changeAges { $0.maxAgeProvider = newValue } }
  }
}

extension ApolloStore: ClockUsing {
  /// Goes by the clock of a client from now on, with what is kept on disk. A date that the app has set stays.
  package func use(_ clock: any ClientClock) {
    engine.expiryTimer.clock = clock
    engine.changeAges { $0.clock = clock }
    engine.backend?.use(clock)
  }
}
