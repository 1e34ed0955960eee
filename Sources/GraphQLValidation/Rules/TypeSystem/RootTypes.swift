import GraphQLSchema
public import GraphQLSyntax

extension Diagnostic.Code {
  /// A schema has no query type, or a root type is not an object type or is used for two operations.
  public static let invalidRootType = Self("invalid-root-type")
}

extension TypeSystemRule {
  /// There is a query type; root types are objects and differ.
  static let rootTypes = TypeSystemRule(
    "RootTypes", section: "sec-Root-Operation-Types", reports: .invalidRootType
  ) { schema in
    checkKinds(schema) + checkDifferent(schema)
  }

  private static func checkKinds(_ schema: Schema) -> [Diagnostic] {
    var diagnostics: [Diagnostic] = []
    let definitions = schema.definition?.operationTypes ?? []
    for operation in OperationType.allCases {
      let definition = definitions.first { $0.operation == operation }
      guard let name = definition?.type.value ?? schema.defaultRootType(for: operation)?.name else {
        if operation == .query {
          diagnostics.append(
            Diagnostic(.invalidRootType, "Query root type must be provided.", at: schema.definition?.span ?? .none))
        }
        continue
      }
      guard let type = schema.type(named: name) else { continue }
      if case .object = type { continue }
      let suffix = operation == .query ? "" : " if provided"
      diagnostics.append(
        Diagnostic(
          .invalidRootType,
          "\(operation.defaultTypeName) root type must be Object type\(suffix), it cannot be \(name).",
          at: definition?.type.span ?? type.span))
    }
    return diagnostics
  }

  private static func checkDifferent(_ schema: Schema) -> [Diagnostic] {
    let definitions = schema.definition?.operationTypes ?? []
    let roots = OperationType.allCases.compactMap { operation in schema.rootType(for: operation).map { (operation, $0) }
    }
    let byName = Dictionary(grouping: roots, by: \.1.name).filter { $0.value.count > 1 }
    return byName.sorted { $0.key < $1.key }.map { name, uses in
      let spans = uses.compactMap { use in definitions.first { $0.operation == use.0 }?.type.span }
      let list = Suggestions.list(uses.map(\.0.rawValue), "and")
      return Diagnostic(
        .invalidRootType, "All root types must be different, \"\(name)\" type is used as \(list) root types.",
        at: spans.first ?? .none, labels: spans.dropFirst().map { .init("and here", at: $0) })
    }
  }
}

extension Schema {
  /// The type that has the default name for a root type, when there is no `schema` definition.
  fileprivate func defaultRootType(for operation: OperationType) -> NamedType? {
    definition == nil ? type(named: operation.defaultTypeName) : nil
  }
}
