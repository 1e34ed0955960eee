import GraphQLSchema
import GraphQLSyntax

/// The part of a rule that looks at a document. One walk serves all rules: it calls the methods of each in document
/// order, and keeps in the context where it is. A visitor lives for one walk.
protocol RuleVisitor: AnyObject {
  func enter(_ document: Document, _ context: ValidationContext)
  func leave(_ document: Document, _ context: ValidationContext)
  func enter(_ definition: Definition, _ context: ValidationContext)
  func enter(_ operation: OperationDefinition, _ context: ValidationContext)
  func enter(_ variable: VariableDefinition, _ context: ValidationContext)
  func enter(_ fragment: FragmentDefinition, _ context: ValidationContext)
  /// `context.parentType` is the type that the selections are made on.
  func enter(_ selectionSet: SelectionSet, _ context: ValidationContext)
  /// `context.field` is the definition of the field, `context.parentType` the type it is selected on.
  func enter(_ field: Field, _ context: ValidationContext)
  /// `context.parentType` is the type of the enclosing selection set.
  func enter(_ spread: FragmentSpread, _ context: ValidationContext)
  /// `context.parentType` is the type of the enclosing selection set.
  func enter(_ fragment: InlineFragment, _ context: ValidationContext)
  /// All directives of a place that has some.
  func enter(_ directives: [Directive], at place: DirectivePlace, _ context: ValidationContext)
  /// The arguments of a field, directive or fragment that is given some or takes some. The owner is `nil` when it is
  /// not defined.
  func enter(_ arguments: [Argument], of owner: ArgumentOwner?, _ context: ValidationContext)
  func enter(_ value: Value, at position: InputPosition, _ context: ValidationContext)
  /// A name in a place where a type is named.
  func enter(typeName: Name, _ context: ValidationContext)
}

extension RuleVisitor {
  func enter(_ document: Document, _ context: ValidationContext) {}
  func leave(_ document: Document, _ context: ValidationContext) {}
  func enter(_ definition: Definition, _ context: ValidationContext) {}
  func enter(_ operation: OperationDefinition, _ context: ValidationContext) {}
  func enter(_ variable: VariableDefinition, _ context: ValidationContext) {}
  func enter(_ fragment: FragmentDefinition, _ context: ValidationContext) {}
  func enter(_ selectionSet: SelectionSet, _ context: ValidationContext) {}
  func enter(_ field: Field, _ context: ValidationContext) {}
  func enter(_ spread: FragmentSpread, _ context: ValidationContext) {}
  func enter(_ fragment: InlineFragment, _ context: ValidationContext) {}
  func enter(_ directives: [Directive], at place: DirectivePlace, _ context: ValidationContext) {}
  func enter(_ arguments: [Argument], of owner: ArgumentOwner?, _ context: ValidationContext) {}
  func enter(_ value: Value, at position: InputPosition, _ context: ValidationContext) {}
  func enter(typeName: Name, _ context: ValidationContext) {}
}

/// What directives are applied to.
struct DirectivePlace {
  var location: DirectiveLocation
  /// The name of what is defined or extended here, with `@` for a directive, and empty for the schema: the definition
  /// and its extensions count as one place. It is nil for everything inside of a definition.
  var definedName: String?
}

/// What arguments are given to.
struct ArgumentOwner {
  enum Kind {
    /// A field of a type.
    case field(name: String, type: String)
    case directive(name: String)
    /// A fragment with variables of its own.
    case fragment(name: String)
  }

  var kind: Kind
  /// The definitions of the arguments.
  var definitions: NamedArguments
  var span: SourceSpan

  /// How messages call an argument: `Query.user(id:)`.
  func coordinate(of argument: String) -> String {
    switch kind {
    case .field(let name, let type): "\(type).\(name)(\(argument):)"
    case .directive(let name): "@\(name)(\(argument):)"
    case .fragment(let name): "...\(name)(\(argument):)"
    }
  }

  /// How messages call it: `field "Query.user"`.
  var description: String {
    switch kind {
    case .field(let name, let type): "field \"\(type).\(name)\""
    case .directive(let name): "directive \"@\(name)\""
    case .fragment(let name): "fragment \"\(name)\""
    }
  }
}

extension ArgumentOwner {
  /// A fragment takes values for its variables as a field takes arguments.
  init(_ spread: FragmentSpread, _ fragment: FragmentDefinition) {
    kind = .fragment(name: fragment.name.value)
    definitions = fragment.variableDefinitions.map { variable in
      InputValueDefinition(
        name: variable.name, type: variable.type, defaultValue: variable.defaultValue, span: variable.span)
    }
    span = spread.span
  }
}

/// Argument definitions; few enough to be looked through.
typealias NamedArguments = [InputValueDefinition]

extension NamedArguments {
  subscript(name: String) -> InputValueDefinition? { first { $0.name.value == name } }
}

/// Where a value is given.
struct InputPosition {
  /// The type that the schema expects, or `nil` when that is unknown.
  var type: TypeReference?
  /// Whether the schema has a default value for the place.
  var hasDefault = false
  /// The type whose field the value is given for, when exactly one field must be.
  var oneOf: InputObjectType?
}
