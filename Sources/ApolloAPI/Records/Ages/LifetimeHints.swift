/// How long the fields of a response may be kept, by the `extensions.cacheControl` of Apollo Server:
/// `{"version": 1, "hints": [{"path": ["hero", "friends", 0], "maxAge": 60, "scope": "PRIVATE"}]}`.
///
/// A field without a hint has that of the nearest field around it.
struct LifetimeHints: Sendable {
  private var lifetime: Lifetime?
  private var members: [PathComponent: LifetimeHints] = [:]

  /// Finds the hints; nil if there are none. A value that is not a hint is passed over.
  ///
  /// - Parameters:
  ///   - extensions: The `extensions` of a response.
  ///   - keepsPrivate: Whether values are stored that are for one user.
  init?(_ extensions: JSONObject?, keepsPrivate: Bool) {
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
