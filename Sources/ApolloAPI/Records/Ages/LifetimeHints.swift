/// How long the fields of a response may be kept, by the `extensions.cacheControl` of Apollo Server:
/// `{"version": 1, "hints": [{"path": ["hero", "friends", 0], "maxAge": 60, "scope": "PRIVATE"}]}`.
///
/// A field without a hint has that of the nearest field around it.
struct LifetimeHints: Sendable {
  /// A member of a value that has a place.
  private struct Member: Hashable {
    let place: Int
    let component: PathComponent
  }

  /// The places of the response that hints name, or that lead to such a place. They are in one list, and not inside of each
  /// other, so that a path of any length is followed without recursion. The first one is the response itself.
  private var lifetimes: [Lifetime?] = [nil]
  /// The places of members.
  private var members: [Member: Int] = [:]
  /// The place that this is about.
  private var place = 0

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
      insert(lifetime, at: components)
    }
    if members.isEmpty, lifetimes[0] == nil { return nil }
  }

  private static func lifetime(_ hint: JSONObject, keepsPrivate: Bool) -> Lifetime? {
    if !keepsPrivate, (hint["scope"] as? String)?.uppercased() == "PRIVATE" { return .notStored }
    switch hint["maxAge"] {
    case let seconds as Double: return .seconds(seconds > 0 ? UInt32(min(seconds, Double(UInt32.max))) : 0)
    case let seconds: return wholeNumber(seconds).map { .seconds(UInt32(clamping: $0)) }
    }
  }

  private mutating func insert(_ lifetime: Lifetime, at path: [PathComponent]) {
    var place = 0
    for component in path {
      let member = Member(place: place, component: component)
      if let known = members[member] {
        place = known
      } else {
        place = lifetimes.count
        members[member] = place
        lifetimes.append(nil)
      }
    }
    lifetimes[place] = lifetime.joined(with: lifetimes[place])
  }

  /// What applies to the members of the object at a path.
  func hints(at path: [PathComponent]) -> (hints: LifetimeHints?, inherited: Lifetime?) {
    var hints = self, inherited = lifetimes[place]
    for component in path {
      guard let next = members[Member(place: hints.place, component: component)] else {
        // Nothing is said of what is deeper.
        return (nil, inherited)
      }
      hints.place = next
      inherited = lifetimes[next] ?? inherited
    }
    return (hints, inherited)
  }

  func lifetime(of member: String) -> Lifetime? {
    members[Member(place: place, component: .field(member))].flatMap { lifetimes[$0] }
  }
}
