/// How long a value may be kept, by what the server or the schema said.
package enum Lifetime: Hashable, Sendable {
  /// So many seconds from when it came.
  case seconds(UInt32)
  /// The value must not be stored: it is there only as long as it is read.
  case notStored
  /// The value is kept in memory only.
  case inMemory

  /// The stricter one of two.
  func joined(with other: Lifetime?) -> Lifetime {
    switch (self, other) {
    case (.notStored, _), (_, .notStored?): .notStored
    case (.seconds(let a), .seconds(let b)?): .seconds(min(a, b))
    case (.inMemory, .seconds?): other ?? self
    case (.seconds, _), (.inMemory, _): self
    }
  }

  /// The lifetime of a value that comes with a limit for all values: `notStored` and `inMemory` hold for each of them,
  /// and a number of seconds only for those that say nothing themselves.
  ///
  /// What is too old when it comes stays so: it is kept in memory only, anyway.
  package func limited(to limit: Lifetime?) -> Lifetime {
    switch (limit, self) {
    case (.notStored?, _): .notStored
    case (.inMemory?, .seconds(let seconds)) where seconds > 0: .inMemory
    default: self
    }
  }

  /// The date of a value.
  ///
  /// - Parameter seconds: When it came, in seconds since 1970.
  /// - Returns: The date, with its expiry.
  package func date(at seconds: UInt32) -> FieldDate {
    switch self {
    case .notStored: FieldDate(seconds: seconds, expiry: FieldDate.notStored)
    case .inMemory: FieldDate(seconds: seconds, expiry: FieldDate.inMemory)
    case .seconds(let lifetime):
      FieldDate(seconds: seconds, expiry: seconds > UInt32.max - lifetime ? .max : seconds + lifetime)
    }
  }
}
