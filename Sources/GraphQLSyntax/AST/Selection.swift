/// The selections between a pair of braces: `SelectionSet : { Selection+ }` —
/// [spec](https://spec.graphql.org/September2025/#SelectionSet). It is empty only if
/// ``Parser/Options/allowsEmptySelectionSets`` is true.
public struct SelectionSet: Sendable, Hashable {
  /// The selections, in the order in which they are written.
  public var selections: [Selection]
  /// The range of the text; ``SourceSpan/none`` if the node was built in code. Equality does not compare it.
  @Uncompared public var span: SourceSpan

  /// Builds a node in code.
  public init(_ selections: [Selection], span: SourceSpan = .none) {
    self.selections = selections
    self.span = span
  }
}

/// One selection of a selection set: `Selection : Field | FragmentSpread | InlineFragment` —
/// [spec](https://spec.graphql.org/September2025/#Selection)
public enum Selection: Sendable, Hashable {
  /// A field.
  case field(Field)
  /// A named fragment that is spread, such as `...HeroDetails`.
  case fragmentSpread(FragmentSpread)
  /// A fragment without a name, such as `... on Droid { name }`.
  case inlineFragment(InlineFragment)

  /// The range of the selection's text; ``SourceSpan/none`` if it was built in code.
  public var span: SourceSpan {
    switch self {
    case .field(let field): field.span
    case .fragmentSpread(let spread): spread.span
    case .inlineFragment(let fragment): fragment.span
    }
  }

  /// The directives, in the order in which they are written.
  public var directives: [Directive] {
    switch self {
    case .field(let field): field.directives
    case .fragmentSpread(let spread): spread.directives
    case .inlineFragment(let fragment): fragment.directives
    }
  }
}

/// A selected field: `Field` — [spec](https://spec.graphql.org/September2025/#Field)
public struct Field: Sendable, Hashable {
  /// The name that the field has in the response; nil if it is the field's own name.
  public var alias: Name?
  /// The name of the field in the schema.
  public var name: Name
  /// The arguments, in the order in which they are written.
  public var arguments: [Argument]
  /// The directives, in the order in which they are written.
  public var directives: [Directive]
  /// The fields that are selected on the field's value; nil if no braces follow.
  public var selectionSet: SelectionSet?
  /// The range of the text; ``SourceSpan/none`` if the node was built in code. Equality does not compare it.
  @Uncompared public var span: SourceSpan

  /// Builds a node in code.
  public init(
    alias: Name? = nil, name: Name, arguments: [Argument] = [], directives: [Directive] = [],
    selectionSet: SelectionSet? = nil, span: SourceSpan = .none
  ) {
    self.alias = alias
    self.name = name
    self.arguments = arguments
    self.directives = directives
    self.selectionSet = selectionSet
    self.span = span
  }

  /// The name of the field in a response: its alias, or else its name.
  public var responseKey: String { alias?.value ?? name.value }
}

/// A named fragment that is spread in a selection set: `FragmentSpread : ... FragmentName Arguments? Directives?` —
/// [spec](https://spec.graphql.org/September2025/#FragmentSpread)
public struct FragmentSpread: Sendable, Hashable {
  /// The name of the fragment.
  public var name: Name
  /// Values for the variables of the fragment, in the order in which they are written.
  public var arguments: [Argument]
  /// The directives, in the order in which they are written.
  public var directives: [Directive]
  /// The range of the text; ``SourceSpan/none`` if the node was built in code. Equality does not compare it.
  @Uncompared public var span: SourceSpan

  /// Builds a node in code.
  public init(
    name: Name, arguments: [Argument] = [], directives: [Directive] = [], span: SourceSpan = .none
  ) {
    self.name = name
    self.arguments = arguments
    self.directives = directives
    self.span = span
  }
}

/// A fragment without a name: `InlineFragment : ... TypeCondition? Directives? SelectionSet` —
/// [spec](https://spec.graphql.org/September2025/#InlineFragment)
public struct InlineFragment: Sendable, Hashable {
  /// The type for which the fragment holds; nil for the type of the enclosing selection set.
  public var typeCondition: Name?
  /// The directives, in the order in which they are written.
  public var directives: [Directive]
  /// The fields that the fragment selects.
  public var selectionSet: SelectionSet
  /// The range of the text; ``SourceSpan/none`` if the node was built in code. Equality does not compare it.
  @Uncompared public var span: SourceSpan

  /// Builds a node in code.
  public init(
    typeCondition: Name? = nil, directives: [Directive] = [], selectionSet: SelectionSet, span: SourceSpan = .none
  ) {
    self.typeCondition = typeCondition
    self.directives = directives
    self.selectionSet = selectionSet
    self.span = span
  }
}

/// A named fragment: `FragmentDefinition` — [spec](https://spec.graphql.org/September2025/#FragmentDefinition)
public struct FragmentDefinition: Sendable, Hashable {
  /// The description before the definition; nil if there is none.
  public var description: StringValue?
  /// The name of the fragment.
  public var name: Name
  /// Variables that the fragment declares itself, in order.
  public var variableDefinitions: [VariableDefinition]
  /// The type for which the fragment holds.
  public var typeCondition: Name
  /// The directives, in the order in which they are written.
  public var directives: [Directive]
  /// The fields that the fragment selects.
  public var selectionSet: SelectionSet
  /// The range of the text; ``SourceSpan/none`` if the node was built in code. Equality does not compare it.
  @Uncompared public var span: SourceSpan

  /// Builds a node in code.
  public init(
    description: StringValue? = nil, name: Name, variableDefinitions: [VariableDefinition] = [],
    typeCondition: Name, directives: [Directive] = [], selectionSet: SelectionSet, span: SourceSpan = .none
  ) {
    self.description = description
    self.name = name
    self.variableDefinitions = variableDefinitions
    self.typeCondition = typeCondition
    self.directives = directives
    self.selectionSet = selectionSet
    self.span = span
  }
}
