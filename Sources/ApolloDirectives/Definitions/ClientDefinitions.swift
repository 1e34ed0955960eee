package import GraphQLSchema
package import GraphQLSyntax

/// The directives for the generator, which need not be declared.
package enum ClientDefinitions {
  /// Those on operations and fragments.
  static let forOperations = Parser.parse(
    """
    directive @apollo_client_ios_localCacheMutation on QUERY | MUTATION | SUBSCRIPTION | FRAGMENT_DEFINITION
    directive @import(module: String!) repeatable on QUERY | MUTATION | SUBSCRIPTION | FRAGMENT_DEFINITION
    directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT
    directive @stream(if: Boolean! = true, label: String, initialCount: Int! = 0) on FIELD
    directive @appendNode(connections: [ID!]!, edgeTypeName: String) on FIELD
    directive @prependNode(connections: [ID!]!, edgeTypeName: String) on FIELD
    directive @appendEdge(connections: [ID!]!) on FIELD
    directive @prependEdge(connections: [ID!]!) on FIELD
    directive @deleteEdge(connections: [ID!]!, type: String) on FIELD
    directive @deleteRecord(type: String!) on FIELD
    directive @client on FIELD
    directive @alias(as: String!) on FRAGMENT_SPREAD | INLINE_FRAGMENT
    directive @required(action: RequiredFieldAction!) on FIELD
    directive @throwOnFieldError on QUERY | MUTATION | SUBSCRIPTION | FRAGMENT_DEFINITION
    enum RequiredFieldAction { NONE LOG THROW }
    """, name: "client directives"
  ).value

  /// Those on the types of a schema. The type of `scope` is left open, so that no schema gets a type by it.
  static let forSchemas = Parser.parse(
    """
    directive @typePolicy(keyFields: String! = "", connectionFields: String! = "") on OBJECT | INTERFACE
    directive @fieldPolicy(forField: String!, keyArgs: String! = "", paginationArgs: String! = "")
      repeatable on OBJECT | INTERFACE
    directive @connection on OBJECT
    directive @pagination(
      forField: String!, style: String!, first: String, last: String, before: String, after: String,
      offset: String, limit: String, page: String, size: String, firstPage: Int, args: String,
      refetchKeepsPages: Boolean
    ) repeatable on OBJECT | INTERFACE
    directive @cacheControl(maxAge: Int, inheritMaxAge: Boolean, scope: String)
      on FIELD_DEFINITION | OBJECT | INTERFACE | UNION
    directive @cacheControlField(name: String!, maxAge: Int, inheritMaxAge: Boolean, scope: String)
      repeatable on OBJECT | INTERFACE
    directive @map(to: String!, module: String) on SCALAR
    directive @mapTo(builtIn: String!, inline: Boolean! = true) on SCALAR
    directive @ignore on DIRECTIVE_DEFINITION
    directive @targetName(name: String!)
      on OBJECT | INTERFACE | UNION | ENUM | ENUM_VALUE | SCALAR | INPUT_OBJECT | INPUT_FIELD_DEFINITION
    directive @embedded on FIELD_DEFINITION
    directive @embeddedField(name: String!) repeatable on OBJECT | INTERFACE
    directive @onDelete(cascade: Boolean!) on FIELD_DEFINITION
    directive @onDeleteField(name: String!, cascade: Boolean!) repeatable on OBJECT | INTERFACE
    directive @semanticNonNull(levels: [Int!]! = [0]) on FIELD_DEFINITION
    directive @semanticNonNullField(name: String!, levels: [Int!]! = [0]) repeatable on OBJECT | INTERFACE
    directive @catchByDefault(to: String!) on SCHEMA
    """, name: "client directives"
  ).value

  /// Those on operations and fragments that a schema may give other names, or declare in a form for servers.
  private static let forFields = Parser.parse(
    """
    directive @cacheControl(maxAge: Int, inheritMaxAge: Boolean, scope: CacheControlScope) on FIELD
    enum CacheControlScope { PUBLIC PRIVATE }
    directive @catch(to: CatchTo! = RESULT, levels: [Int!]! = [0]) on FIELD
    directive @catchByDefault(to: CatchTo!) on QUERY | MUTATION | SUBSCRIPTION | FRAGMENT_DEFINITION
    enum CatchTo { RESULT NULL THROW }
    """, name: "client directives"
  ).value

  /// The directives on types that tell the generator something, by the names that a schema has for them.
  ///
  /// - Parameter schema: A schema, which may give them other names by `@link`.
  /// - Returns: The names, without `@`.
  package static func namesForSchemas(in schema: Schema) -> Set<String> {
    PolicyDirective.allCases.reduce(into: Set(forSchemas.definitions.compactMap(directiveName))) { names, directive in
      names.formUnion(directive.names(in: schema))
    }
  }

  /// The schema as operations see it: with the directives for them, and with `@cacheControl` and `@catch` on fields,
  /// whatever the schema itself says of them. The generator reads them there, and does not send them.
  package static func schemaForOperations(_ schema: Schema) -> Schema {
    var replaced: Set<String> = []
    let added = forFields.definitions.flatMap { definition -> [Definition] in
      switch definition {
      case .directive(let directive):
        let names = PolicyDirective(rawValue: directive.name.value)?.names(in: schema) ?? []
        replaced.formUnion(names)
        return names.sorted().map { name in
          var directive = directive
          directive.name = Name(name)
          return .directive(directive)
        }
      case .type(let type): return schema.type(named: type.name.value) == nil ? [definition] : []
      default: return [definition]
      }
    }
    let definitions = schema.document.definitions.filter { definition in
      directiveName(definition).map { !replaced.contains($0) } ?? true
    }
    let own = forOperations.definitions.filter { definition in
      if case .type(let type) = definition { schema.type(named: type.name.value) == nil } else { true }
    }
    return Schema.build(from: [
      Document(definitions: definitions), Document(definitions: own), Document(definitions: added),
    ]).value
  }

  /// The directives on types that a schema does not declare itself.
  package static func undeclared(in documents: [Document]) -> Document {
    let declared = Set(documents.flatMap(\.definitions).compactMap(directiveName))
    return Document(
      definitions: forSchemas.definitions.filter { directiveName($0).map { !declared.contains($0) } ?? true })
  }

  /// All directives that need not be declared, for tools that know only what is declared.
  ///
  /// - Parameters:
  ///   - schema: A schema. What it declares is left out.
  ///   - source: The text of the schema.
  /// - Returns: Definitions in the schema definition language.
  package static func textForEditors(_ schema: Schema, of source: Source) -> String {
    let own = removed(from: schema, of: [source])
    let missing = everywhere.filter { definition in
      if case .type(let type) = definition { return own.type(named: type.name.value) == nil }
      // (Editors do not know directives on directives yet.)
      return directiveName(definition).map { own.directive(named: $0) == nil && $0 != Schema.ignore } ?? true
    }
    return
      "# The directives that the code generator knows without a definition, for editors. \"apollo-codegen start\" wrote it.\n"
      + missing.map { Printer.print($0) }.joined(separator: "\n\n") + "\n"
  }

  /// All definitions, with one for a directive that operations and schemas have.
  private static var everywhere: [Definition] {
    let ofSchemas = forSchemas.definitions
    let fields = forFields.definitions.map { definition -> Definition in
      guard case .directive(var directive) = definition else { return definition }
      for case .directive(let other) in ofSchemas where other.name == directive.name {
        directive.locations += other.locations
      }
      return .directive(directive)
    }
    let names = Set(fields.compactMap(directiveName))
    return forOperations.definitions + fields
      + ofSchemas.filter { definition in directiveName(definition).map { !names.contains($0) } ?? true }
  }

  /// The scalars with `@map` or `@mapTo`, each with the directive, in the order of the schema. A directive of one of these
  /// names that the schema declares otherwise, or imports itself, is one of another tool; but `@mapTo` of kotlin_labs says
  /// the same to every client.
  package static func mappedScalars(in schema: Schema) -> [(scalar: String, directive: Directive)] {
    let names = ["map", "mapTo"].filter { name in
      isOwn(name, in: schema) && (name == "mapTo" || !schema.isLinked(directive: name))
    }
    return schema.definedTypes.flatMap { type -> [(scalar: String, directive: Directive)] in
      guard case .scalar = type else { return [] }
      return names.compactMap { name in type.directives.first(named: name).map { (type.name, $0) } }
    }
  }

  /// What has `@targetName`, with the directive, in the order of the schema: types, values of enums, and input fields. A
  /// directive of this name that the schema declares or imports itself is one of another tool.
  package static func targetNames(in schema: Schema) -> [(type: String, member: String?, directive: Directive)] {
    guard !schema.isLinked(directive: "targetName"), isOwn("targetName", in: schema) else { return [] }
    return schema.definedTypes.flatMap { type -> [(type: String, member: String?, directive: Directive)] in
      let members: [(name: Name, directives: [Directive])] =
        switch type {
        case .enum(let type): type.values.map { ($0.name, $0.directives) }
        case .inputObject(let type): type.fields.map { ($0.name, $0.directives) }
        default: []
        }
      let ofType = type.directives.first(named: "targetName").map { [(type.name, String?.none, $0)] } ?? []
      return ofType
        + members.compactMap { member in
          member.directives.first(named: "targetName").map { (type.name, member.name.value, $0) }
        }
    }
  }

  /// Whether a directive on types is the generator's: not declared by the schema itself, or with the same arguments.
  private static func isOwn(_ name: String, in schema: Schema) -> Bool {
    if schema.ignores(directive: name) { return false }
    func arguments(_ definition: Definition) -> [String]? {
      guard case .directive(let directive) = definition, directiveName(definition) == name else { return nil }
      return directive.arguments.map(\.name.value)
    }
    return forSchemas.definitions.contains { own in
      arguments(own).map { $0 == schema.document.definitions.lazy.compactMap(arguments).first } ?? false
    }
  }

  /// The schema without the directives that it does not declare itself.
  package static func removed(from schema: Schema, of sources: [Source]) -> Schema {
    let known = Set(sources.map(\.id)), names = Set(forSchemas.definitions.compactMap(directiveName))
    let definitions = schema.document.definitions.filter { definition in
      guard case .directive(let directive) = definition, names.contains(directive.name.value) else { return true }
      return known.contains(directive.span.source)
    }
    return Schema.build(from: [Document(definitions: definitions)]).value
  }

  private static func directiveName(_ definition: Definition) -> String? {
    if case .directive(let directive) = definition, !directive.isExtension { directive.name.value } else { nil }
  }
}
