import GraphQLSchema
import GraphQLSyntax

/// Finds the fields of which the cache merges pages: those that `@pagination(forField:)` or
/// `@typePolicy(connectionFields:)` on their type name, those whose type has `@connection`, and those with
/// `@fieldPolicy(paginationArgs:)`.
struct PaginatedFields {
  /// Something that a schema says of the pages of a field.
  struct Statement {
    enum Source { case pagination, connectionFields, paginationArgs }

    var field: String
    var source: Source
    var directive: Directive
  }

  private let schema: Schema
  private let paginationNames: Set<String>, typePolicyNames: Set<String>, fieldPolicyNames: Set<String>
  private let connectionNames: Set<String>
  private var statements: [String: [Statement]] = [:]
  private var connections: Set<String> = []
  /// The types of the objects that are pages of connections: those with `@connection`, and those to which a field with such
  /// pages leads.
  private var connectionTypes: Set<String> = []

  /// Reads the directives of a schema.
  init(schema: Schema) {
    self.schema = schema
    paginationNames = PolicyDirective.pagination.names(in: schema)
    typePolicyNames = PolicyDirective.typePolicy.names(in: schema)
    fieldPolicyNames = PolicyDirective.fieldPolicy.names(in: schema)
    connectionNames = PolicyDirective.connection.names(in: schema)
    for type in schema.definedTypes {
      if type.directives.contains(where: { connectionNames.contains($0.name.value) }) { connections.insert(type.name) }
      let found = statements(on: type)
      if !found.isEmpty { statements[type.name] = found }
    }
    for type in schema.definedTypes {
      if isConnection(type) { noteConnection(type) }
      for statement in statements[type.name] ?? [] {
        guard let field = schema.field(named: statement.field, on: type), of(field, on: [type])?.style == .relay,
          let connection = schema.type(of: field.type)
        else { continue }
        noteConnection(connection)
      }
    }
  }

  private mutating func noteConnection(_ type: NamedType) {
    connectionTypes.insert(type.name)
    for object in schema.possibleTypes(of: type) { connectionTypes.insert(object.name) }
  }

  /// What the directives on a type say of its fields.
  func statements(on type: NamedType) -> [Statement] {
    type.directives.flatMap { directive -> [Statement] in
      let name = directive.name.value
      if paginationNames.contains(name), let field = directive.text("forField") {
        return [Statement(field: field, source: .pagination, directive: directive)]
      }
      if typePolicyNames.contains(name), let fields = directive.text("connectionFields") {
        return fields.names.map { Statement(field: $0, source: .connectionFields, directive: directive) }
      }
      if fieldPolicyNames.contains(name), let field = directive.text("forField"),
        directive.text("paginationArgs")?.names.isEmpty == false
      {
        return [Statement(field: field, source: .paginationArgs, directive: directive)]
      }
      return []
    }
  }

  /// Whether the schema says that objects of a type are connections.
  func isConnection(_ type: NamedType) -> Bool { connections.contains(type.name) }

  /// How pages of a field become one list.
  ///
  /// - Parameters:
  ///   - field: The field.
  ///   - types: The types that the object is known to satisfy, the narrowest last.
  /// - Returns: nil if the schema says nothing of it.
  func of(_ field: FieldDefinition, on types: [NamedType]) -> Pagination? {
    guard let type = schema.type(of: field.type), type.isComposite || !statements.isEmpty else { return nil }
    let isConnection = isConnection(type)
    guard isConnection || !statements.isEmpty else { return nil }
    for owner in types.reversed() {
      for owner in [owner.name] + owner.interfaces.map(\.value) {
        let found = (statements[owner] ?? []).filter { $0.field == field.name.value }
        if !found.isEmpty { return Self.pagination(of: field, found, isConnection: isConnection) }
      }
    }
    return isConnection ? .connection(field) : nil
  }

  /// Whether each page of a field is an object with lists in it. Pages of such a field are joined where the field is: in
  /// a record of the object, those of several fields would be mixed. (A connection is kept there by its style.)
  ///
  /// - Parameters:
  ///   - field: The field.
  ///   - types: The types that the object is known to satisfy, the narrowest last.
  /// - Returns: False for a field that is a list itself.
  func haveObjectsAsPages(_ field: FieldDefinition, on types: [NamedType]) -> Bool {
    if case .list = field.type.kind { return false }
    guard schema.type(of: field.type)?.isComposite == true else { return false }
    switch of(field, on: types)?.style {
    case .offset, .page, .append: return true
    case .relay, .key, nil: return false
    }
  }

  /// Whether a field has the edges of a connection with pages. They are kept in the connection, as the connection is in its
  /// field: what joins pages asks an edge for its node.
  ///
  /// - Parameters:
  ///   - field: The field.
  ///   - types: The types that the object is known to satisfy.
  /// - Returns: False if nothing says that the object is such a connection.
  func haveEdges(_ field: FieldDefinition, on types: [NamedType]) -> Bool {
    guard field.name.value == "edges", !connectionTypes.isEmpty else { return false }
    return types.contains { type in
      if connectionTypes.contains(type.name) { return true }
      let possible = schema.possibleTypes(of: type)
      return !possible.isEmpty && possible.allSatisfy { connectionTypes.contains($0.name) }
    }
  }

  /// What several statements about one field say together.
  private static func pagination(
    of field: FieldDefinition, _ statements: [Statement], isConnection: Bool
  ) -> Pagination {
    let named = statements.first { $0.source == .paginationArgs }?.directive.text("paginationArgs")?.names ?? []
    if let directive = statements.first(where: { $0.source == .pagination })?.directive {
      return Pagination(directive, field)
    }
    guard isConnection || statements.contains(where: { $0.source == .connectionFields }) else {
      return Pagination(style: .key, arguments: named)
    }
    guard !named.isEmpty else { return .connection(field) }
    // The last name of `input.after` says what it is; the others are left out of the key only.
    let roles = Pagination.Style.relay.roles.map { role in
      named.first { $0.path.last == role } ?? ""
    }
    return Pagination(style: .relay, arguments: roles + named.filter { !roles.contains($0) })
  }
}

extension Pagination {
  /// The pages of a connection, with those of the usual arguments that the field has.
  static func connection(_ field: FieldDefinition) -> Pagination {
    Pagination(style: .relay, arguments: Style.relay.roles.map { defaultArgument($0, field) })
  }

  /// What `@pagination` says of a field.
  init(_ directive: Directive, _ field: FieldDefinition) {
    var style = Style.key
    if case .enum(let name)? = directive.argument("style")?.kind { style = Style(rawValue: name.lowercased()) ?? .key }
    let given = style.roles.map { directive.text($0) ?? Self.defaultArgument($0, field) }
    self.init(style: style, arguments: given + (directive.text("args")?.names ?? []))
    if case .boolean(true)? = directive.argument("refetchKeepsPages")?.kind { keepsPages = true }
    if case .int(let text)? = directive.argument("firstPage")?.kind { firstPage = Int(text) ?? 1 }
  }

  private static func defaultArgument(_ name: String, _ field: FieldDefinition) -> String {
    field.arguments.contains { $0.name.value == name } ? name : ""
  }
}
