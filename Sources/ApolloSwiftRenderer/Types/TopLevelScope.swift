/// The generated types, as they are written outside of the namespace.
struct TopLevelScope {
  /// The enum around generated types; nil if there is none.
  var namespace: String?
  /// The names of the types in it.
  var declared: Set<String>

  /// A type that is mentioned without the namespace, as it is written outside of it.
  func type(_ name: String) -> SwiftType {
    guard let namespace, declared.contains(name) else { return .named(name) }
    return .member(name, of: .named(namespace))
  }
}
