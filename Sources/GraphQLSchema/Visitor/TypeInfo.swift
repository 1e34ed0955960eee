public import GraphQLSyntax

/// The types at a place of a document, kept up to date while the document is walked.
///
/// A visitor of its own is called by ``GraphQLSyntax/SyntaxNode/walk(_:in:)``; who walks in another way calls
/// ``enter(_:)`` and ``leave(_:)``.
public struct TypeInfo: Sendable {
  /// What is known inside one node.
  private struct Frame {
    var parentType: NamedType?
    var field: FieldDefinition?
    var type: TypeReference?
    var directive: DirectiveDefinition?
    var argument: InputValueDefinition?
    var inputType: TypeReference?
    /// What the values directly inside should have, which are elements of a list.
    var elementType: TypeReference?
    var defaultValue: Value?
    var enumValue: EnumValueDefinition?
  }

  public let schema: Schema
  private var frames: [Frame] = [Frame()]

  public init(_ schema: Schema) { self.schema = schema }

  private var current: Frame { frames[frames.count - 1] }

  /// The composite type that the current selections are made on; `nil` where that is unknown.
  public var parentType: NamedType? { current.parentType }
  /// The type of the current field, operation or fragment.
  public var type: TypeReference? { current.type }
  /// The definition of the current field.
  public var field: FieldDefinition? { current.field }
  /// The definition of the current directive.
  public var directive: DirectiveDefinition? { current.directive }
  /// The definition of the current argument.
  public var argument: InputValueDefinition? { current.argument }
  /// The type that the current value should have.
  public var inputType: TypeReference? { current.inputType }
  /// The value that the current place has when none is given.
  public var defaultValue: Value? { current.defaultValue }
  /// The definition of the current enum value.
  public var enumValue: EnumValueDefinition? { current.enumValue }

  /// Comes to a node. Each call is followed by one of ``leave(_:)``.
  public mutating func enter(_ node: SyntaxNode) {
    var frame = current
    frame.enumValue = nil
    switch node {
    case .operation(let operation):
      frame.type = schema.rootType(for: operation.operation).map { reference($0.name) }
    case .fragment(let fragment): frame.type = reference(fragment.typeCondition.value)
    case .inlineFragment(let fragment):
      if let condition = fragment.typeCondition {
        frame.type = reference(condition.value)
      } else {
        frame.type = frame.parentType.map { reference($0.name) }
      }
    case .selectionSet:
      let type = frame.type.flatMap { schema.type(of: $0) }
      frame.parentType = type?.isComposite == true ? type : nil
    case .field(let field):
      frame.field = frame.parentType.flatMap { schema.field(named: field.name.value, on: $0) }
      frame.type = frame.field?.type
      frame.directive = nil
    case .directive(let directive): frame.directive = schema.directive(named: directive.name.value)
    case .variableDefinition(let variable): enterInput(variable.type, default: nil, &frame)
    case .argument(let argument):
      let definitions = frame.directive?.arguments ?? frame.field?.arguments
      frame.argument = definitions?.first { $0.name == argument.name }
      enterInput(frame.argument?.type, default: frame.argument?.defaultValue, &frame)
    case .objectField(let field):
      let type = frame.inputType.flatMap { schema.type(of: $0) }
      let definition: InputValueDefinition? =
        if case .inputObject(let object)? = type { object.fields[field.name.value] } else { nil }
      enterInput(definition?.type, default: definition?.defaultValue, &frame)
    case .value(let value): enter(value, &frame)
    default: break
    }
    frames.append(frame)
  }

  /// Leaves a node that was entered.
  public mutating func leave(_ node: SyntaxNode) {
    if frames.count > 1 { frames.removeLast() }
  }

  private func enterInput(_ type: TypeReference?, default value: Value?, _ frame: inout Frame) {
    frame.inputType = type.flatMap { schema.type(of: $0)?.isInput == true ? $0 : nil }
    frame.elementType = nil
    frame.defaultValue = value
  }

  private func enter(_ value: Value, _ frame: inout Frame) {
    if let element = frame.elementType { enterInput(element, default: nil, &frame) }
    guard let type = frame.inputType else { return }
    switch value.kind {
    case .list:
      if case .list(let element) = type.kind { frame.elementType = element }
    case .enum(let name):
      if case .enum(let type)? = schema.type(of: type) { frame.enumValue = type.values[name] }
    default: break
    }
  }

  private func reference(_ name: String) -> TypeReference { TypeReference(.named(Name(name))) }
}

/// Looks at the nodes of a syntax tree, knowing the types of each place.
public protocol TypedSyntaxVisitor {
  /// Comes to a node, before those inside of it.
  mutating func enter(_ node: SyntaxNode, _ types: TypeInfo) -> VisitStep
  /// Leaves a node that was not skipped. False ends the walk. Does nothing unless implemented.
  mutating func leave(_ node: SyntaxNode, _ types: TypeInfo) -> Bool
}

extension TypedSyntaxVisitor {
  public mutating func leave(_ node: SyntaxNode, _ types: TypeInfo) -> Bool { true }
}

extension SyntaxNode {
  /// Walks this node and everything inside of it with the types of a schema.
  public func walk<Visitor: TypedSyntaxVisitor>(_ visitor: inout Visitor, in schema: Schema) {
    var typed = TypedWalk(visitor: visitor, types: TypeInfo(schema))
    walk(&typed)
    visitor = typed.visitor
  }
}

/// Lets a visitor know the types.
private struct TypedWalk<Visitor: TypedSyntaxVisitor>: SyntaxVisitor {
  var visitor: Visitor
  var types: TypeInfo

  mutating func enter(_ node: SyntaxNode) -> VisitStep {
    types.enter(node)
    let step = visitor.enter(node, types)
    if step != .intoChildren { types.leave(node) }
    return step
  }

  mutating func leave(_ node: SyntaxNode) -> Bool {
    let goesOn = visitor.leave(node, types)
    types.leave(node)
    return goesOn
  }
}
