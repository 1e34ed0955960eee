/// `SelectionSet : { Selection+ }` — [spec](https://spec.graphql.org/September2025/#SelectionSet)
public struct SelectionSet: Sendable, Hashable {
  public var selections: [Selection]
  @Uncompared public var span: SourceSpan

  public init(_ selections: [Selection], span: SourceSpan = .none) {
    self.selections = selections
    self.span = span
  }
}

/// `Selection : Field | FragmentSpread | InlineFragment` — [spec](https://spec.graphql.org/September2025/#Selection)
public enum Selection: Sendable, Hashable {
  case field(Field)
  case fragmentSpread(FragmentSpread)
  case inlineFragment(InlineFragment)

  public var span: SourceSpan {
    switch self {
    case .field(let field): field.span
    case .fragmentSpread(let spread): spread.span
    case .inlineFragment(let fragment): fragment.span
    }
  }

  public var directives: [Directive] {
    switch self {
    case .field(let field): field.directives
    case .fragmentSpread(let spread): spread.directives
    case .inlineFragment(let fragment): fragment.directives
    }
  }
}

/// `Field` — [spec](https://spec.graphql.org/September2025/#Field)
public struct Field: Sendable, Hashable {
  public var alias: Name?
  public var name: Name
  public var arguments: [Argument]
  public var directives: [Directive]
  /// `nil` where no braces follow.
  public var selectionSet: SelectionSet?
  @Uncompared public var span: SourceSpan

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

  /// The key of the field in a response: its alias, or else its name.
  public var responseKey: String { alias?.value ?? name.value }
}

/// `FragmentSpread : ... FragmentName Directives?` — [spec](https://spec.graphql.org/September2025/#FragmentSpread)
public struct FragmentSpread: Sendable, Hashable {
  public var name: Name
  /// Values for the variables of the fragment. Empty unless ``Parser/Options/allowsFragmentArguments`` is set.
  public var arguments: [Argument]
  public var directives: [Directive]
  @Uncompared public var span: SourceSpan

  public init(
    name: Name, arguments: [Argument] = [], directives: [Directive] = [], span: SourceSpan = .none
  ) {
    self.name = name
    self.arguments = arguments
    self.directives = directives
    self.span = span
  }
}

/// `InlineFragment : ... TypeCondition? Directives? SelectionSet`
/// — [spec](https://spec.graphql.org/September2025/#InlineFragment)
public struct InlineFragment: Sendable, Hashable {
  /// `nil` means the type of the enclosing selection set.
  public var typeCondition: Name?
  public var directives: [Directive]
  public var selectionSet: SelectionSet
  @Uncompared public var span: SourceSpan

  public init(
    typeCondition: Name? = nil, directives: [Directive] = [], selectionSet: SelectionSet, span: SourceSpan = .none
  ) {
    self.typeCondition = typeCondition
    self.directives = directives
    self.selectionSet = selectionSet
    self.span = span
  }
}

/// `FragmentDefinition` — [spec](https://spec.graphql.org/September2025/#FragmentDefinition)
public struct FragmentDefinition: Sendable, Hashable {
  public var description: StringValue?
  public var name: Name
  /// Variables of the fragment's own. Empty unless ``Parser/Options/allowsFragmentArguments`` is set.
  public var variableDefinitions: [VariableDefinition]
  public var typeCondition: Name
  public var directives: [Directive]
  public var selectionSet: SelectionSet
  @Uncompared public var span: SourceSpan

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
