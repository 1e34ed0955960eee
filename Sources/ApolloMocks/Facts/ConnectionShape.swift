import GraphQLSchema
import GraphQLSyntax

/// The fields of a connection, by the GraphQL Cursor Connections Specification.
struct ConnectionShape: Sendable {
  /// The type of the edges; nil if the connection has only `nodes`.
  let edge: String?
  let node: TypeReference
  let pageInfo: String
  /// Whether cursors are numbers.
  let hasNumbers: Bool

  /// The arguments that choose a page.
  static let arguments: Set<String> = ["first", "last", "before", "after"]

  init?(_ type: ObjectType, in schema: Schema) {
    guard let pageInfo = type.fields["pageInfo"].flatMap({ schema.object(named: $0.type.namedType.value) }),
      pageInfo.fields.contains("hasNextPage")
    else { return nil }
    self.pageInfo = pageInfo.name
    let edge = type.fields["edges"].flatMap { $0.isList ? schema.object(named: $0.type.namedType.value) : nil }
    let nodes = type.fields["nodes"].flatMap { $0.isList ? $0.type.element : nil }
    guard let node = edge?.fields["node"]?.type ?? nodes, schema.type(of: node)?.isComposite == true else { return nil }
    self.edge = edge?.name
    let cursor = edge?.fields["cursor"] ?? pageInfo.fields["endCursor"] ?? pageInfo.fields["startCursor"]
    hasNumbers = cursor?.type.namedType.value == "Int"
    self.node = node
  }
}

extension FieldDefinition {
  fileprivate var isList: Bool { type.element != nil }
}

extension TypeReference {
  /// The type of the elements; nil if it is not a list.
  var element: TypeReference? { if case .list(let element) = kind { element } else { nil } }
}
