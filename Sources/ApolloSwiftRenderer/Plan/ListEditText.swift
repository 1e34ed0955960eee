import ApolloDirectives
import ApolloIR

extension Planner {
  /// What a field does to lists of the cache, as an expression in Swift.
  func listEdit(_ directive: ListDirective, _ operation: Operation, _ names: [String: String]) -> String {
    var arguments = [".\(directive.kind.rawValue)", "at: " + array(directive.path.map { Literal.string($0.name) })]
    if directive.path.contains(where: { $0.types != nil }) {
      // No types stand for all types.
      let types = directive.path.map { array(($0.types ?? []).map(Literal.string)) }
      arguments.append("on: " + array(types))
    }
    if let connections = directive.connections {
      arguments.append("connections: " + texts(connections, operation, names))
    }
    if let type = directive.edgeType { arguments.append("edgeType: " + Literal.string(type)) }
    if let type = directive.typename { arguments.append("typename: " + Literal.string(type)) }
    return "__ListEdit(\(arguments.joined(separator: ", ")))"
  }

  private func array(_ elements: [String]) -> String { "[" + elements.joined(separator: ", ") + "]" }

  /// A list of texts: a variable, or a list of texts and variables.
  private func texts(
    _ connections: ListDirective.Connections, _ operation: Operation, _ names: [String: String]
  ) -> String {
    switch connections {
    case .variable(let name): variable(name, operation, names, isList: true)
    case .list(let texts):
      array(
        texts.map { text in
          switch text {
          case .variable(let name): variable(name, operation, names, isList: false)
          case .literal(let text): Literal.string(text)
          }
        })
    }
  }

  private func variable(_ name: String, _ operation: Operation, _ names: [String: String], isList: Bool) -> String {
    let member = Identifier.member(names[name] ?? name)
    guard let type = operation.variables.first(where: { $0.name == name })?.type else { return isList ? "[]" : "\"\"" }
    // One value stands for a list with it.
    let isOne = isList && !type.isList
    let value = type.isNullable ? "\(member).unwrapped" : member
    if type.isNullable { return isOne ? "[\(value)].compactMap { $0 }" : "\(value) ?? \(isList ? "[]" : "\"\"")" }
    return isOne ? "[\(value)]" : value
  }
}
