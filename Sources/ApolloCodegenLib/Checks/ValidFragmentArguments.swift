import ApolloDirectives
import GraphQLSyntax

extension ClientRule {
  /// The selections of a fragment with variables are sent in place of its spreads, so they must be the same whatever the
  /// variables of the operation are.
  static let validFragmentArguments = ClientRule { context in
    let document = context.document
    guard document.fragments.contains(where: { !$0.variableDefinitions.isEmpty }) else { return [] }
    var check = FragmentArgumentCheck(
      fragments: Dictionary(document.fragments.map { ($0.name.value, $0) }) { first, _ in first })
    for operation in document.operations { check.visit(operation) }
    for fragment in document.fragments { check.visit(fragment) }
    if check.diagnostics.isEmpty, document.inliningFragmentArguments() == nil { check.reportTooMany() }
    return check.diagnostics
  }
}

private struct FragmentArgumentCheck {
  let fragments: [String: FragmentDefinition]
  private(set) var diagnostics: [Diagnostic] = []
  /// The fragments that were visited for the operation.
  private var visited: Set<String> = []
  private var reported: Set<SourceSpan> = []

  init(fragments: [String: FragmentDefinition]) { self.fragments = fragments }

  // MARK: Variables without a value

  mutating func visit(_ operation: OperationDefinition) {
    visited = []
    visit(operation.selectionSet, optional: Self.optional(operation.variableDefinitions))
  }

  /// The variables that may have no value, not even null.
  private static func optional(_ variables: [VariableDefinition]) -> Set<String> {
    Set(variables.filter { !$0.type.isNonNull && $0.defaultValue == nil }.map(\.name.value))
  }

  private mutating func visit(_ selectionSet: SelectionSet, optional: Set<String>) {
    for selection in selectionSet.selections {
      selection.selectionSet.map { visit($0, optional: optional) }
      guard case .fragmentSpread(let spread) = selection, let fragment = fragments[spread.name.value] else { continue }
      checkDeferral(of: spread, fragment)
      for variable in fragment.variableDefinitions where variable.defaultValue != nil {
        checkArgument(of: spread, for: variable, optional: optional)
      }
      guard visited.insert(fragment.name.value).inserted else { continue }
      let own = Set(fragment.variableDefinitions.map(\.name.value))
      visit(
        fragment.selectionSet,
        optional: optional.subtracting(own).union(Self.optional(fragment.variableDefinitions)))
    }
  }

  private mutating func checkArgument(
    of spread: FragmentSpread, for variable: VariableDefinition, optional: Set<String>
  ) {
    let argument = spread.arguments.first { $0.name.value == variable.name.value }
    guard let argument, case .variable(let name) = argument.value.kind, optional.contains(name.value) else { return }
    report(
      """
      "$\(name.value)" may have no value. Then "$\(variable.name.value)" of the fragment "\(spread.name.value)" would have \
      its default value, which the text that is sent cannot say.
      """, at: argument.span,
      help: #"Give "$\#(name.value)" a default value or a type that is not null."#)
  }

  // MARK: Deferred fragments

  mutating func visit(_ fragment: FragmentDefinition) {
    if fragment.variableDefinitions.isEmpty { return }
    findDeferral(in: fragment.selectionSet, of: fragment)
  }

  private mutating func findDeferral(in selectionSet: SelectionSet, of fragment: FragmentDefinition) {
    for selection in selectionSet.selections {
      if let directive = selection.directives.first(where: { ["defer", "stream"].contains($0.name.value) }) {
        report(
          """
          The fragment "\(fragment.name.value)" has variables, so an operation can have its selections several times, and \
          this label with them.
          """, at: directive.span, help: "Write this selection into a fragment without variables.")
      }
      selection.selectionSet.map { findDeferral(in: $0, of: fragment) }
    }
  }

  private mutating func checkDeferral(of spread: FragmentSpread, _ fragment: FragmentDefinition) {
    let directive = spread.directives.first { $0.name.value == "defer" }
    guard let directive, !fragment.variableDefinitions.isEmpty else { return }
    report(
      "The fragment \"\(spread.name.value)\" has variables, so it cannot be deferred by itself.", at: directive.span,
      help: "Write ... @defer(label: \"details\") { ...\(spread.name.value) } with the arguments.")
  }

  mutating func reportTooMany() {
    guard
      let fragment = fragments.values.filter({ !$0.variableDefinitions.isEmpty }).min(by: {
        $0.name.value < $1.name.value
      })
    else { return }
    report(
      "The fragments with variables spread each other so often that they would be sent as more than 200,000 selections and values.",
      at: fragment.name.span, help: "Use variables of the operation in some of them.")
  }

  private mutating func report(_ message: String, at span: SourceSpan, help: String) {
    guard reported.insert(span).inserted else { return }
    diagnostics.append(Diagnostic(.fragmentArguments, message, at: span, help: help))
  }
}
