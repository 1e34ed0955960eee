import ApolloDirectives
import GraphQLExecution
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation

/// A schema, and what a mock has to know about it: keys, connections, and what `@mock` says.
final class SchemaFacts: Sendable {
  let schema: Schema
  let roots: Set<String>
  private let keys: [String: [String]]
  private let connections: [String: ConnectionShape]
  private let fieldMocks: [String: MockDirective]
  private let scalarMocks: [String: MockDirective]

  /// Reads a schema.
  ///
  /// - Parameter sources: The texts of the schema, which are read as one.
  /// - Throws: ``MockSchemaError`` with everything that is wrong, and where.
  init(_ sources: [Source]) throws(MockSchemaError) {
    let schema = try Self.read(sources)
    self.schema = schema
    roots = Set([schema.queryType, schema.mutationType, schema.subscriptionType].compactMap { $0?.name })
    let objects = schema.allTypes.compactMap { schema.object(named: $0.name) }.filter { !$0.name.hasPrefix("__") }
    let directives = SchemaDirectives(schema)
    var keys: [String: [String]] = [:], connections: [String: ConnectionShape] = [:]
    var fieldMocks: [String: MockDirective] = [:], scalarMocks: [String: MockDirective] = [:]
    for object in objects {
      let declared = directives.keyFields(of: .object(object))
      let found = directives.declareKeyFields(of: .object(object)) ? declared : Self.usualKey(of: object, schema)
      if !found.isEmpty, !roots.contains(object.name) { keys[object.name] = found }
      connections[object.name] = ConnectionShape(object, in: schema)
      for field in object.fields {
        let coordinate = "\(object.name).\(field.name)"
        let definitions =
          [field] + object.interfaces.compactMap { schema.type(named: $0.value)?.fields?[field.name.value] }
        if let mock = definitions.lazy.compactMap({ $0.directives.first(named: MockDirective.name) }).first {
          fieldMocks[coordinate] = try MockDirective(mock, at: coordinate)
        }
      }
    }
    for case .scalar(let scalar) in schema.allTypes {
      if let mock = scalar.directives.first(named: MockDirective.name) {
        scalarMocks[scalar.name] = try MockDirective(mock, at: scalar.name)
      }
    }
    self.keys = keys
    self.connections = connections
    self.fieldMocks = fieldMocks
    self.scalarMocks = scalarMocks
    for (coordinate, mock) in fieldMocks.sorted(by: { $0.key < $1.key }) {
      try mock.check(against: self, at: coordinate)
    }
  }

  /// `id` or `_id`, if it is there without arguments.
  private static func usualKey(of type: ObjectType, _ schema: Schema) -> [String] {
    ["id", "_id"].first { name in
      guard let field = type.fields[name], case .named = field.type.kind else { return false }
      return schema.type(of: field.type)?.isLeaf == true && !field.arguments.contains(where: \.isRequired)
    }.map { [$0] } ?? []
  }

  // MARK: What is asked

  /// The fields that identify objects of a type; empty if it has no key.
  func keyFields(of type: String) -> [String] { keys[type] ?? [] }

  /// Whether the keys of all types differ, because objects of all of them are found by `id` alone.
  func hasGlobalKeys(_ type: String) -> Bool {
    schema.object(named: type)?.interfaces.contains { $0.value == "Node" } ?? false
  }

  func connection(_ type: String) -> ConnectionShape? { connections[type] }

  /// Whether a type has mutations and nothing else.
  func isMutation(_ type: String) -> Bool { type == schema.mutationType?.name && type != schema.queryType?.name }

  func mock(ofField coordinate: String) -> MockDirective? { fieldMocks[coordinate] }

  func mock(ofScalar name: String) -> MockDirective? { scalarMocks[name] }

  func field(_ name: String, of type: String) -> FieldDefinition? { schema.object(named: type)?.fields[name] }

  /// The object types that a name stands for: the type itself, or those of an interface or a union.
  func objects(of name: String) -> [ObjectType] { schema.type(named: name).map { schema.possibleTypes(of: $0) } ?? [] }

  /// The object type of a name.
  ///
  /// - Throws: ``MockSchemaError`` if there is none.
  func object(named name: String) throws(MockSchemaError) -> ObjectType {
    if let object = schema.object(named: name) { return object }
    throw MockSchemaError(
      unknown: name, among: schema.allTypes.compactMap { schema.object(named: $0.name)?.name }, "object type")
  }

  /// The coordinates of object types that a coordinate stands for: itself, or those of the types of an interface.
  ///
  /// - Throws: ``MockSchemaError`` if the schema has no such field.
  func coordinates(_ coordinate: String) throws(MockSchemaError) -> [String] {
    let parts = coordinate.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2 else {
      throw MockSchemaError("\"\(coordinate)\" is not the coordinate of a field, such as \"Query.hero\".")
    }
    guard let type = schema.type(named: parts[0]), let fields = type.fields else {
      let names = schema.allTypes.filter { $0.fields != nil }.map(\.name)
      throw MockSchemaError(unknown: parts[0], among: names, "object type or interface")
    }
    guard fields.contains(parts[1]) else {
      throw MockSchemaError(
        unknown: coordinate, among: fields.map { "\(type.name).\($0.name)" }, "field")
    }
    return schema.possibleTypes(of: type).map { "\($0.name).\(parts[1])" }
  }
}

extension SchemaFacts {
  private static func read(_ sources: [Source]) throws(MockSchemaError) -> Schema {
    var documents: [Document] = [], diagnostics: [Diagnostic] = []
    for source in sources {
      let parsed = Parser.parse(source)
      documents.append(parsed.value)
      diagnostics += parsed.diagnostics
    }
    let own = Parser.parse(definitions).value.definitions.filter { definition in
      // A schema may have definitions of its own.
      guard case .directive(let directive) = definition else { return true }
      return !documents.contains { $0.defines(directive.name.value) }
    }
    let built = Schema.build(from: documents + [Document(definitions: own)], allowsFieldExtensions: true)
    diagnostics += built.diagnostics
    var errors = diagnostics.filter { $0.severity == .error }
    if errors.isEmpty { errors = SchemaValidator.check(built.value).filter { serious.contains($0.code) } }
    guard errors.isEmpty else {
      var renderer = DiagnosticRenderer(.xcode, sources: SourceMap(sources))
      throw MockSchemaError("The schema of the mock does not build.\n" + renderer.render(errors))
    }
    return built.value
  }

  /// What no value can be made with. (Published schemas have defects of other kinds, and use directives without a definition.)
  private static let serious: Set<Diagnostic.Code> = [
    .unknownType, .wrongTypeDirection, .emptyType, .invalidRootType, .invalidUnionMember,
  ]

  /// What operations and extension files may use without a definition.
  private static let definitions = Source(
    """
    directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT
    directive @stream(if: Boolean! = true, label: String, initialCount: Int! = 0) on FIELD
    """, name: "mock")
}

extension Document {
  fileprivate func defines(_ directive: String) -> Bool {
    definitions.contains {
      if case .directive(let definition) = $0 { definition.name.value == directive } else { false }
    }
  }
}
