import ApolloIR
import GraphQLSyntax

extension Planner {
  /// What a field does to lists of the cache, as an expression in Swift.
  func listEdit(_ directive: ListDirective, _ operation: Operation, _ names: [String: String]) -> String {
    var arguments = [
      ".\(directive.kind.rawValue)", "at: [" + directive.path.map(Literal.string).joined(separator: ", ") + "]",
    ]
    if let connections = directive.connections {
      arguments.append("connections: " + texts(connections, operation, names))
    }
    if let type = directive.edgeType { arguments.append("edgeType: " + Literal.string(type)) }
    if let type = directive.typename { arguments.append("typename: " + Literal.string(type)) }
    return "__ListEdit(\(arguments.joined(separator: ", ")))"
  }

  /// A list of texts: a variable, or a list of texts and variables.
  private func texts(_ value: Value, _ operation: Operation, _ names: [String: String]) -> String {
    switch value.kind {
    case .variable(let name): variable(name.value, operation, names, isList: true)
    case .list(let values):
      "["
        + values.map { value in
          if case .variable(let name) = value.kind {
            variable(name.value, operation, names, isList: false)
          } else {
            text(value)
          }
        }.joined(separator: ", ") + "]"
    default: "[\(text(value))]"
    }
  }

  private func text(_ value: Value) -> String {
    switch value.kind {
    case .string(let string): Literal.string(string.value)
    case .int(let digits): Literal.string(digits)
    default: Literal.string("")
    }
  }

  private func variable(_ name: String, _ operation: Operation, _ names: [String: String], isList: Bool) -> String {
    let member = StructRenderer.member(names[name] ?? name)
    guard let type = operation.variables.first(where: { $0.name == name })?.type else { return isList ? "[]" : "\"\"" }
    // One value stands for a list with it.
    let isOne = isList && !type.isList
    let value = type.isNullable ? "\(member).unwrapped" : member
    if type.isNullable { return isOne ? "[\(value)].compactMap { $0 }" : "\(value) ?? \(isList ? "[]" : "\"\"")" }
    return isOne ? "[\(value)]" : value
  }
}
