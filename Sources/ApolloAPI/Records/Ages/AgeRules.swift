/// The rules by which a read takes values of the cache for too old.
package struct AgeRules: Sendable {
  /// What an app has set for its store.
  package final class Settings: Sendable {
    /// Tells the time, in seconds since 1970.
    private let time: @Sendable () -> Double
    /// How many seconds old a value may be for which nothing else says it; nil: any number.
    let defaultMaxAge: UInt32?
    /// How many seconds old the values of a field, or without one the objects of a type, may be. It takes precedence
    /// over what the schema and the operation say. It returns nil if it says nothing.
    let maxAge: (@Sendable (_ type: String, _ field: String?) -> UInt32?)?

    /// What an app has set; by default, nothing but the time.
    package init(
      time: @escaping @Sendable () -> Double, defaultMaxAge: UInt32? = nil,
      maxAge: (@Sendable (_ type: String, _ field: String?) -> UInt32?)? = nil
    ) {
      self.time = time
      self.defaultMaxAge = defaultMaxAge
      self.maxAge = maxAge
    }

    /// The time, in seconds since 1970.
    package var seconds: Double { time() }

    /// The time, in whole seconds since 1970.
    package var now: UInt32 {
      let seconds = time()
      return seconds > 0 ? UInt32(min(seconds, Double(UInt32.max - 1))) : 0
    }
  }

  let settings: Settings
  /// How many seconds longer than it may be used a value is given. `anyAge`: for ever.
  let maxStale: UInt32
  /// Fields that do not age, because a guess has changed them; nil if there are none.
  let guesses: Set<RecordField>?

  /// For ``init(_:maxStale:guesses:)``: values of any age are used.
  package static let anyAge = UInt32.max

  /// Whether ages have to be looked at although no field table has any.
  func areAlwaysActive(in records: RecordSnapshot) -> Bool {
    records.hasExpiries || settings.defaultMaxAge != nil || settings.maxAge != nil
  }

  /// The rules for one read.
  package init(_ settings: Settings, maxStale: UInt32, guesses: Set<RecordField>? = nil) {
    self.settings = settings
    self.maxStale = maxStale
    self.guesses = guesses
  }
}

/// A field of a record.
package struct RecordField: Hashable, Sendable {
  /// The number of the record.
  let record: Int32
  /// The key of the field.
  let key: FieldKey

  /// Names a field.
  package init(record: Int32, key: FieldKey) {
    self.record = record
    self.key = key
  }
}

extension RecordSnapshot {
  /// A field as `record.field`.
  package func name(of field: RecordField) -> String { "\(key(of: field.record) ?? "").\(text(of: field.key))" }
}

/// What a read found out about the age of what it read.
package struct AgeFindings: Sendable {
  /// The fields that are older than they may be, and were read all the same.
  package internal(set) var staleFields: Set<RecordField> = []
  /// When the first field is older than it may be, in seconds since 1970; nil if no field has an age. A field that may
  /// have no age at all does not count.
  package internal(set) var earliestExpiry: UInt32?
  /// Whether some field is older than it may be, whether it was read or not.
  package var isStale: Bool { !staleFields.isEmpty || expired != nil }
  /// Why the read failed, if that was because of an age.
  var expired: Expired?

  /// A value that is too old.
  struct Expired: Sendable {
    /// How many seconds old the value is; nil if that is not known.
    let age: UInt32?
    /// How many seconds old it may be.
    let maxAge: UInt32
  }
}
