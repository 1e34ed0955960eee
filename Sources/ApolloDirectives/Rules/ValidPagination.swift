import GraphQLSchema
import GraphQLSyntax

extension DirectiveRule {
  /// `@pagination`, `@typePolicy(connectionFields:)` and `@fieldPolicy(paginationArgs:)` name fields and arguments that
  /// there are, and do not contradict each other.
  static let validPagination = DirectiveRule { context in
    let paginated = context.directives.paginatedFields
    return context.schema.definedTypes.flatMap { type -> [Diagnostic] in
      var earlier: [String: [PaginatedFields.Statement]] = [:]
      return paginated.statements(on: type).compactMap { statement -> Diagnostic? in
        let check = PaginationCheck(schema: context.schema, type: type, statement: statement)
        defer { earlier[statement.field, default: []].append(statement) }
        return (check.contradiction(of: earlier[statement.field, default: []]) ?? check.problem).map {
          Diagnostic(.invalidPagination, $0, at: statement.directive)
        }
      }
    } + brokenConnections(context.schema, paginated)
  }

  /// Types with `@connection` that are none.
  private static func brokenConnections(_ schema: Schema, _ paginated: PaginatedFields) -> [Diagnostic] {
    schema.definedTypes.filter(paginated.isConnection).compactMap { type in
      PaginationCheck.problem(ofConnection: type, schema).map {
        Diagnostic(.invalidPagination, $0, at: type.definition.name.span, help: nil)
      }
    }
  }
}

private struct PaginationCheck {
  let schema: Schema
  let type: NamedType
  let statement: PaginatedFields.Statement

  private var coordinate: String { "\(type.name).\(statement.field)" }

  /// Two directives say different things of one field.
  func contradiction(of earlier: [PaginatedFields.Statement]) -> DirectiveProblem? {
    guard let other = earlier.first(where: { $0.source == statement.source || isStyled($0) && isStyled(statement) })
    else { return nil }
    return DirectiveProblem(
      "\"\(coordinate)\" has several directives that say what its pages are.",
      help: "Keep one of @\(other.directive.name) and @\(statement.directive.name).")
  }

  private func isStyled(_ statement: PaginatedFields.Statement) -> Bool { statement.source != .paginationArgs }

  var problem: DirectiveProblem? {
    guard let field = schema.field(named: statement.field, on: type) else {
      return DirectiveProblem(
        "The type \"\(type.name)\" has no field \"\(statement.field)\" to have pages.",
        help: type.suggestion(for: statement.field))
    }
    let directive = statement.directive
    switch statement.source {
    case .paginationArgs:
      return (directive.text("paginationArgs")?.names ?? []).lazy.compactMap { problem(ofPath: $0, field) }.first
    case .connectionFields:
      guard let connection = schema.type(of: field.type) else { return nil }
      return Self.problem(ofConnection: connection, schema).map { DirectiveProblem($0) }
    case .pagination: return problem(of: directive, field)
    }
  }

  private func problem(of directive: Directive, _ field: FieldDefinition) -> DirectiveProblem? {
    guard case .enum(let name)? = directive.argument("style")?.kind,
      let style = Pagination.Style.allCases.first(where: { $0.rawValue.uppercased() == name && $0 != .key })
    else { return DirectiveProblem("The style of pages is RELAY, OFFSET, PAGE or APPEND.") }
    for role in Pagination.Style.allCases.flatMap(\.roles) {
      guard let path = directive.text(role) else { continue }
      guard style.roles.contains(role) else {
        return DirectiveProblem("Pages of the style \(name) have no argument \"\(role)\".")
      }
      if let problem = problem(ofPath: path, field) { return problem }
    }
    for path in directive.text("args")?.names ?? [] { if let problem = problem(ofPath: path, field) { return problem } }
    let pagination = Pagination(directive, field)
    switch style {
    case .relay:
      guard let connection = schema.type(of: field.type) else { return nil }
      return Self.problem(ofConnection: connection, schema).map { DirectiveProblem($0) }
    case .offset, .page:
      guard pagination.arguments[0].isEmpty else { return nil }
      return DirectiveProblem(
        "It is not said which argument of \"\(coordinate)\" is the \(style.roles[0]).",
        help: "\(style.roles[0]): \"…\" names it.")
    case .append where pagination.arguments.isEmpty:
      return DirectiveProblem(
        "It is not said which arguments tell the pages of \"\(coordinate)\" apart.", help: "args: \"…\" names them.")
    default: return nil
    }
  }

  /// An argument, or a member of one, that the field does not have.
  private func problem(ofPath path: String, _ field: FieldDefinition) -> DirectiveProblem? {
    do {
      _ = try schema.types(atPath: path, of: field, called: coordinate)
      return nil
    } catch {
      return error
    }
  }

  /// What a type lacks to be a connection; nil if it is one.
  static func problem(ofConnection type: NamedType, _ schema: Schema) -> String? {
    let fields = type.fields ?? NamedList()
    if let edges = fields["edges"] {
      guard let edge = schema.type(of: edges.type), edge.isComposite, edge.fields?["node"] != nil else {
        return "\"\(type.name)\" is not a connection: the objects in \"edges\" have no field \"node\"."
      }
    } else if fields["nodes"] == nil {
      return "\"\(type.name)\" is not a connection: it has neither \"edges\" nor \"nodes\"."
    }
    return nil
  }
}
