import GraphQLSchema
public import GraphQLSyntax

extension Diagnostic.Code {
  /// The name of a type that the schema does not define.
  public static let unknownType = Self("unknown-type")
}

extension Rule {
  /// Types that a document names are defined.
  /// — [spec](https://spec.graphql.org/September2025/#sec-Fragment-Spread-Type-Existence)
  public static let knownTypeNames = Rule(
    "KnownTypeNames", section: "sec-Fragment-Spread-Type-Existence", reports: .unknownType
  ) {
    KnownTypeNamesVisitor()
  }
}

private final class KnownTypeNamesVisitor: RuleVisitor {
  /// The types that the document itself defines.
  private var defined: Set<String> = []
  private var typeNames: [String] = []
  private var isInTypeSystem = false

  func enter(_ document: Document, _ context: ValidationContext) {
    for case .type(let type) in document.definitions where !type.isExtension { defined.insert(type.name.value) }
  }

  func enter(_ definition: Definition, _ context: ValidationContext) { isInTypeSystem = !definition.isExecutable }

  func enter(typeName: Name, _ context: ValidationContext) {
    guard context.schema.type(named: typeName.value) == nil, !defined.contains(typeName.value) else { return }
    // Definitions may refer to built-in scalars, and so bring them into the schema.
    if isInTypeSystem, Schema.isBuiltIn(typeNamed: typeName.value) { return }
    if typeNames.isEmpty { typeNames = context.schema.allTypes.map(\.name) }
    let similar = context.similar(to: typeName.value, among: typeNames)
    context.report(
      .unknownType, "Unknown type \"\(typeName)\".", at: typeName.span, help: Suggestions.didYouMean(similar))
  }
}
