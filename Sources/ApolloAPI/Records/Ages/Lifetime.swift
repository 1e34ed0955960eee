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

/// How long the fields of a response may be kept, by the `extensions.cacheControl` of Apollo Server:
/// `{"version": 1, "hints": [{"path": ["hero", "friends", 0], "maxAge": 60, "scope": "PRIVATE"}]}`.
///
/// A field without a hint has that of the nearest field around it.
package struct LifetimeHints: Sendable {
  private var lifetime: Lifetime?
  private var members: [PathComponent: LifetimeHints] = [:]

  /// Finds the hints; nil if there are none. A value that is not a hint is passed over.
  ///
  /// - Parameters:
  ///   - extensions: The `extensions` of a response.
  ///   - keepsPrivate: Whether values are stored that are for one user.
  package init?(_ extensions: JSONObject?, keepsPrivate: Bool) {
    guard let control = extensions?["cacheControl"] as? JSONObject, let hints = control["hints"] as? [JSONValue] else {
      return nil
    }
    for case let hint as JSONObject in hints {
      guard let path = hint["path"] as? [JSONValue] else { continue }
      let components = path.compactMap { component -> PathComponent? in
        switch component {
        case let name as String: .field(name)
        case let index as Int: .index(index)
        default: nil
        }
      }
      guard components.count == path.count, let lifetime = Self.lifetime(hint, keepsPrivate: keepsPrivate) else {
        continue
      }
      insert(lifetime, at: components[...])
    }
    if members.isEmpty, lifetime == nil { return nil }
  }

  private static func lifetime(_ hint: JSONObject, keepsPrivate: Bool) -> Lifetime? {
    if !keepsPrivate, (hint["scope"] as? String)?.uppercased() == "PRIVATE" { return .notStored }
    switch hint["maxAge"] {
    case let seconds as Double: return .seconds(seconds > 0 ? UInt32(min(seconds, Double(UInt32.max))) : 0)
    case let seconds: return wholeNumber(seconds).map { .seconds(UInt32(clamping: $0)) }
    }
  }

  private mutating func insert(_ lifetime: Lifetime, at path: ArraySlice<PathComponent>) {
    if let first = path.first {
      members[first, default: LifetimeHints()].insert(lifetime, at: path.dropFirst())
    } else {
      self.lifetime = lifetime.joined(with: self.lifetime)
    }
  }

  private init() {}

  /// What applies to the members of the object at a path.
  func hints(at path: [PathComponent]) -> (hints: LifetimeHints?, inherited: Lifetime?) {
    var hints: LifetimeHints? = self, inherited = lifetime
    for component in path {
      hints = hints?.members[component]
      inherited = hints?.lifetime ?? inherited
    }
    return (hints, inherited)
  }

  func lifetime(of member: String) -> Lifetime? { members[.field(member)]?.lifetime }
}
