extension Parser {
  /// `SelectionSet : { Selection+ }` — [spec](https://spec.graphql.org/September2025/#SelectionSet). There may be no
  /// selections if the options allow it.
  mutating func parseSelectionSet() throws(SyntaxError) -> SelectionSet {
    try nested { (parser) throws(SyntaxError) in
      let start = parser.token.start
      let selections = try parser.many(
        between: .leftBrace, and: .rightBrace, canBeEmpty: parser.options.allowsEmptySelectionSets
      ) { (parser) throws(SyntaxError) in try parser.parseSelection() }
      return SelectionSet(selections, span: parser.span(from: start))
    }
  }

  /// `Selection` — [spec](https://spec.graphql.org/September2025/#Selection)
  private mutating func parseSelection() throws(SyntaxError) -> Selection {
    token.kind == .spread ? try parseFragmentSelection() : .field(try parseField())
  }

  /// `Field : Alias? Name Arguments? Directives? SelectionSet?`
  /// — [spec](https://spec.graphql.org/September2025/#Field)
  private mutating func parseField() throws(SyntaxError) -> Field {
    let start = token.start
    var name = try parseName()
    var alias: Name?
    if try skip(.colon) {
      alias = name
      name = try parseName()
    }
    let arguments = try parseArguments(isConst: false)
    let directives = try parseDirectives(isConst: false)
    let selectionSet = token.kind == .leftBrace ? try parseSelectionSet() : nil
    return Field(
      alias: alias, name: name, arguments: arguments, directives: directives, selectionSet: selectionSet,
      span: span(from: start))
  }

  /// `FragmentSpread` and `InlineFragment`, which both begin with `...`
  /// — [spec](https://spec.graphql.org/September2025/#InlineFragment)
  private mutating func parseFragmentSelection() throws(SyntaxError) -> Selection {
    let start = token.start
    try expect(.spread)
    let hasTypeCondition = try skipKeyword("on")
    if !hasTypeCondition, token.kind == .name {
      let name = try parseName()
      let arguments = options.allowsFragmentArguments ? try parseArguments(isConst: false) : []
      let directives = try parseDirectives(isConst: false)
      return .fragmentSpread(
        FragmentSpread(name: name, arguments: arguments, directives: directives, span: span(from: start)))
    }
    let typeCondition = hasTypeCondition ? try parseName() : nil
    let directives = try parseDirectives(isConst: false)
    let selectionSet = try parseSelectionSet()
    return .inlineFragment(
      InlineFragment(
        typeCondition: typeCondition, directives: directives, selectionSet: selectionSet, span: span(from: start)))
  }

  /// `FragmentDefinition : Description? fragment FragmentName VariablesDefinition? TypeCondition Directives?
  /// SelectionSet` — [spec](https://spec.graphql.org/September2025/#FragmentDefinition)
  mutating func parseFragment(
    description: StringValue?, from start: UInt32
  ) throws(SyntaxError) -> FragmentDefinition {
    try advance()
    // A fragment called `on` could not be spread.
    if peekKeyword("on") { throw unexpected() }
    let name = try parseName()
    let variables = options.allowsFragmentArguments ? try parseVariableDefinitions() : []
    try expectKeyword("on")
    let typeCondition = try parseName()
    let directives = try parseDirectives(isConst: false)
    let selectionSet = try parseSelectionSet()
    return FragmentDefinition(
      description: description, name: name, variableDefinitions: variables, typeCondition: typeCondition,
      directives: directives, selectionSet: selectionSet, span: span(from: start))
  }
}
