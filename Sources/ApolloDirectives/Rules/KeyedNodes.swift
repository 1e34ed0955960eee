import GraphQLSchema
import GraphQLSyntax

extension DirectiveRule {
  /// What is in pages has keys, so that the cache can tell whether two pages have one object in common.
  static let keyedNodes = DirectiveRule { context in
    unkeyedNodes(of: context.schema, context.directives).map { node in
      Diagnostic(
        .unkeyedNodes, severity: .warning,
        "\"\(node.type)\" is a node of the \(node.pages) and has no key fields, so a node that is in two pages is "
          + "there twice.",
        at: node.place, help: "extend type \(node.type) @typePolicy(keyFields: \"id\")")
    }
  }

  /// A type of nodes without key fields.
  struct UnkeyedNode {
    /// The name of the type.
    var type: String
    /// What has the pages, in words.
    var pages: String
    /// Where the schema says so.
    var place: SourceSpan
  }

  /// The types of nodes of which nothing says what their key is, or that they have none: those of connections, and of
  /// fields that are lists.
  static func unkeyedNodes(of schema: Schema, _ directives: SchemaDirectives) -> [UnkeyedNode] {
    let paginated = directives.paginatedFields
    func unkeyed(_ node: NamedType?, _ pages: String, _ place: SourceSpan) -> [UnkeyedNode] {
      (node.map { schema.possibleTypes(of: $0) } ?? []).filter { !directives.declareKeyFields(of: .object($0)) }
        .map { UnkeyedNode(type: $0.name, pages: pages, place: place) }
    }
    let ofConnections = schema.definedTypes.filter(paginated.isConnection).flatMap { type in
      unkeyed(nodeType(of: type, schema), "connection \"\(type.name)\"", type.definition.name.span)
    }
    var connections: Set<String> = []
    let ofFields = schema.definedTypes.flatMap { type in
      paginated.statements(on: type).flatMap { statement -> [UnkeyedNode] in
        let place = statement.directive.span
        guard let field = schema.field(named: statement.field, on: type), let inner = schema.type(of: field.type),
          !paginated.isConnection(inner), let style = paginated.of(field, on: [type])?.style, style != .key
        else { return [] }
        if style == .relay {
          guard connections.insert(inner.name).inserted else { return [] }
          return unkeyed(nodeType(of: inner, schema), "connection \"\(inner.name)\"", place)
        }
        guard statement.source == .pagination, case .list = field.type.kind else { return [] }
        return unkeyed(inner, "pages of \"\(type.name).\(statement.field)\"", place)
      }
    }
    return ofConnections + ofFields
  }

  private static func nodeType(of connection: NamedType, _ schema: Schema) -> NamedType? {
    if let edges = connection.fields?["edges"], let edge = schema.type(of: edges.type), let node = edge.fields?["node"]
    {
      return schema.type(of: node.type)
    }
    return connection.fields?["nodes"].flatMap { schema.type(of: $0.type) }
  }
}
