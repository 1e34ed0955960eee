/// The parameters of an initializer: each is called like a property, and has another name in the body where that means
/// something else.
struct ParameterNames {
  private var locals: [String: String] = [:]

  /// - Parameters:
  ///   - names: The names of the properties, which are the labels.
  ///   - reserved: What the body uses itself.
  init(_ names: [String], reserved: Set<String> = ["self"]) {
    var taken = reserved.union(names)
    for name in names where reserved.contains(name) {
      var local = "_" + name
      while !taken.insert(local).inserted { local = "_" + local }
      locals[name] = local
    }
  }

  /// What the body calls it.
  func local(_ name: String) -> String { locals[name] ?? Identifier.escaped(name) }

  /// `name: Type`, or `name local: Type`
  func parameter(_ name: String, _ type: SwiftType) -> String {
    let label = Identifier.escaped(name)
    return (locals[name].map { "\(label) \($0)" } ?? label) + ": \(type)"
  }
}
