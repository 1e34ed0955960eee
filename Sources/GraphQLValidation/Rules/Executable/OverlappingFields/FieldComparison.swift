import GraphQLSchema
import GraphQLSyntax

/// What keeps two fields from sharing a response key, apart from their subfields.
struct FieldComparison {
  let schema: Schema

  /// Why the fields cannot share a response key, or `nil` when they can.
  ///
  /// - Parameters:
  ///   - first: One field.
  ///   - second: The other.
  ///   - isShapeOnly: Whether no object has both fields, so that only the types must agree.
  /// - Returns: The reason.
  func conflict(_ first: FieldNode, _ second: FieldNode, isShapeOnly: Bool) -> String? {
    (isShapeOnly ? nil : difference(first, second)) ?? typeConflict(first, second)
  }

  /// Why the fields do not mean the same, or `nil` when they do.
  func difference(_ first: FieldNode, _ second: FieldNode) -> String? {
    if first.field.name.value != second.field.name.value {
      return "\"\(first.field.name)\" and \"\(second.field.name)\" are different fields"
    }
    if first.arguments != second.arguments {
      if first.isSpread { return "\(first.spreadText) and \(second.spreadText) have different fragment arguments" }
      return "they have differing arguments"
    }
    if first.isStreamed || second.isStreamed { return "they have overlapping stream directives" }
    return nil
  }

  /// Why the fields cannot have the same place in a response, or `nil` when they can
  /// — [spec](https://spec.graphql.org/September2025/#SameResponseShape())
  func typeConflict(_ first: FieldNode, _ second: FieldNode) -> String? {
    guard let type = first.definition?.type, let otherType = second.definition?.type, conflict(type, otherType)
    else { return nil }
    return "they return conflicting types \"\(type)\" and \"\(otherType)\""
  }

  private func conflict(_ first: TypeReference, _ second: TypeReference) -> Bool {
    if first.isNonNull != second.isNonNull { return true }
    switch (first.kind, second.kind) {
    case (.list(let element), .list(let otherElement)): return conflict(element, otherElement)
    case (.named(let name), .named(let otherName)):
      if name.value == otherName.value { return false }
      return schema.type(named: name.value)?.isLeaf == true || schema.type(named: otherName.value)?.isLeaf == true
    case (.list, .named), (.named, .list): return true
    }
  }
}

extension FieldNode {
  /// Whether it stands for a fragment with arguments.
  fileprivate var isSpread: Bool { field.name.value.hasPrefix("...") }

  fileprivate var spreadText: String {
    let name = field.name.value.dropFirst(3)
    if field.arguments.isEmpty { return String(name) }
    let arguments = field.arguments.map { "\($0.name): \(Printer.print($0.value.withoutScopes))" }
    return "\(name)(\(arguments.joined(separator: ", ")))"
  }

  /// Two streams of one list could not be told apart.
  fileprivate var isStreamed: Bool { field.directives.first(named: "stream") != nil }
}
