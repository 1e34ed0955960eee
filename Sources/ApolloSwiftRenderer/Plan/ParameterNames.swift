/// The parameters of an initializer. Their labels are the names of properties. A parameter has another name in the body
/// if the body uses the name of the property itself.
struct ParameterNames {
  private var locals: [String: String] = [:]

  /// Chooses the names.
  ///
  /// - Parameters:
  ///   - names: The names of the properties, which are the labels.
  ///   - reserved: The names that the body uses itself. The default is `self`.
  ///   - properties: The names of properties that the body uses without `self`. The default is none.
  init(_ names: [String], reserved: Set<String> = ["self"], properties: [String] = []) {
    var taken = reserved.union(names).union(properties)
    for name in names where reserved.contains(name) { locals[name] = taken.claimHidden(name) }
  }

  /// The name of a parameter in the body.
  func local(_ name: String) -> String { locals[name] ?? Identifier.escaped(name) }

  /// `name: Type`, or `name local: Type`
  func parameter(_ name: String, _ type: SwiftType) -> String {
    let label = Identifier.escaped(name)
    return (locals[name].map { "\(label) \($0)" } ?? label) + ": \(type)"
  }
}
