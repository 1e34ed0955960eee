public import GraphQLSyntax

/// The types at a place in a document. It is kept up to date while the document is walked.
///
/// ``GraphQLSyntax/SyntaxNode/walk(_:in:)`` does this for a visitor. Code that walks a document in another way calls
/// ``enter(_:)`` and ``leave(_:)``.
public struct TypeInfo: Sendable {
  /// The types inside of one node.
  private struct Frame {
    var parentType: NamedType?
    var field: FieldDefinition?
    var type: TypeReference?
    var directive: DirectiveDefinition?
    /// What the arguments directly inside are for, if they are those of a field or directive.
    var arguments: [InputValueDefinition] = []
    /// What they are for, if they are those of a spread.
    var variables: [VariableDefinition] = []
    var argument: InputValueDefinition?
    var inputType: TypeReference?
    /// The type of the values directly inside, if they are elements of a list.
    var elementType: TypeReference?
    var defaultValue: Value?
    var enumValue: EnumValueDefinition?
  }

  /// The schema with the types.
  public let schema: Schema
  private var frames: [Frame] = [Frame()]
  /// The fragments with variables of the document that was entered.
  private var fragments: [String: FragmentDefinition] = [:]

  /// Starts outside of all nodes.
  ///
  /// - Parameter schema: The schema with the types.
  public init(_ schema: Schema) { self.schema = schema }

  private var current: Frame { frames[frames.count - 1] }

  /// The composite type on which the current selections are made; nil if it is not known.
  public var parentType: NamedType? { current.parentType }
  /// The type of the current field, operation or fragment; nil if it is not known.
  public var type: TypeReference? { current.type }
  /// The definition of the current field; nil if it is not known.
  public var field: FieldDefinition? { current.field }
  /// The definition of the current directive; nil if it is not known.
  public var directive: DirectiveDefinition? { current.directive }
  /// The definition of the current argument; nil if it is not known, or if it is an argument of a spread. Of that,
  /// ``inputType`` and ``defaultValue`` are those of the fragment's variable, if the walk began at the document.
  public var argument: InputValueDefinition? { current.argument }
  /// The type that the current value must have; nil if it is not known.
  public var inputType: TypeReference? { current.inputType }
  /// The default value at the current place; nil if there is none.
  public var defaultValue: Value? { current.defaultValue }
  /// The definition of the current enum value; nil if it is not known.
  public var enumValue: EnumValueDefinition? { current.enumValue }

  /// Enters a node. Each call must be followed by a call of ``leave(_:)``.
  public mutating func enter(_ node: SyntaxNode) {
    var frame = current
    frame.enumValue = nil
    switch node {
    case .document(let document):
      let parameterized = document.fragments.filter { !$0.variableDefinitions.isEmpty }
      fragments = Dictionary(parameterized.map { ($0.name.value, $0) }) { first, _ in first }
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
      frame.arguments = frame.field?.arguments ?? []
      frame.variables = []
    case .fragmentSpread(let spread):
      frame.arguments = []
      frame.variables = fragments[spread.name.value]?.variableDefinitions ?? []
    case .directive(let directive):
      frame.directive = schema.directive(named: directive.name.value)
      frame.arguments = frame.directive?.arguments ?? []
      frame.variables = []
    case .variableDefinition(let variable): enterInput(variable.type, default: nil, &frame)
    case .argument(let argument):
      let definition = frame.arguments.first { $0.name == argument.name }
      let variable = frame.variables.first { $0.name == argument.name }
      frame.argument = definition
      enterInput(
        definition?.type ?? variable?.type, default: definition?.defaultValue ?? variable?.defaultValue, &frame)
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

/// Visits the nodes of a syntax tree, with the types at each place.
public protocol TypedSyntaxVisitor {
  /// Called for each node, before the nodes inside of it.
  mutating func enter(_ node: SyntaxNode, _ types: TypeInfo) -> VisitStep
  /// Called for each node that was not skipped, after the nodes inside of it. Returning false ends the walk. The
  /// default implementation does nothing.
  mutating func leave(_ node: SyntaxNode, _ types: TypeInfo) -> Bool
}

extension TypedSyntaxVisitor {
  /// Does nothing, and continues.
  public mutating func leave(_ node: SyntaxNode, _ types: TypeInfo) -> Bool { true }
}

extension SyntaxNode {
  /// Walks this node and all nodes inside of it, with the types of a schema.
  public func walk<Visitor: TypedSyntaxVisitor>(_ visitor: inout Visitor, in schema: Schema) {
    var typed = TypedWalk(visitor: visitor, types: TypeInfo(schema))
    walk(&typed)
    visitor = typed.visitor
  }
}

/// Calls a visitor with the types at each place.
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
