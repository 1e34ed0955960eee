public import GraphQLExecution
public import GraphQLSchema
import GraphQLSyntax

/// Which fields an operation selects on an object, straight from the specification (section 6.3.2), and the keys of objects.
///
/// It is written to be obviously right, and is slow: the client is compared with it.
public struct NaiveOperation {
  let schema: Schema
  let variables: GraphQLValue.Object
  private let text: String
  let definition: OperationDefinition
  let fragments: [String: FragmentDefinition]

  /// - Parameters:
  ///   - schema: That of the app, which need not know all types of the server.
  ///   - document: The text that is sent.
  ///   - variables: With the values of defaults.
  public init?(_ document: String, schema: Schema, variables: GraphQLValue.Object) {
    let parsed = Parser.parse(document, name: "naive").value.withFragmentArgumentsInPlace
    guard let definition = Array(parsed.operations).first else { return nil }
    self.schema = schema
    self.variables = variables
    self.definition = definition
    text = document
    fragments = Dictionary(parsed.fragments.map { ($0.name.value, $0) }) { first, _ in first }
  }

  var rootType: NamedType? { schema.rootType(for: definition.operation).map { .object($0) } }
  var rootKey: String { "\(definition.operation)" }

  /// A part of a document that is applied to an object.
  struct Source {
    var selections: [GraphQLSyntax.Selection]
    /// What the document knows of the object's type: that of the field, and of the type conditions passed.
    var types: [NamedType]
  }

  /// All selections of one response key.
  struct Selected {
    var key: String
    var field: Field
    var definition: FieldDefinition?
    var sources: [Source]
  }

  struct Collected {
    var fields: [Selected] = []
    /// The type conditions that the object satisfies, after those that were known.
    var types: [NamedType] = []
    var fragmentNames: Set<String> = []
  }

  var root: [Source] {
    [Source(selections: definition.selectionSet.selections, types: rootType.map { [$0] } ?? [])]
  }

  func collect(_ sources: [Source], typename: String) -> Collected {
    var collected = Collected()
    for source in sources {
      collected.types += source.types
      collect(source, typename, &collected)
    }
    return collected
  }

  private func collect(_ source: Source, _ typename: String, _ collected: inout Collected) {
    for selection in source.selections where isIncluded(selection.directives) {
      switch selection {
      case .field(let field): add(field, source.types, &collected)
      case .inlineFragment(let fragment):
        descend(fragment.selectionSet, fragment.typeCondition?.value, source, typename, &collected)
      case .fragmentSpread(let spread):
        guard let fragment = fragments[spread.name.value],
          descend(fragment.selectionSet, fragment.typeCondition.value, source, typename, &collected)
        else { continue }
        collected.fragmentNames.insert(spread.name.value)
      }
    }
  }

  /// - Returns: True if the object satisfies the type condition.
  @discardableResult
  private func descend(
    _ selectionSet: GraphQLSyntax.SelectionSet, _ condition: String?, _ source: Source, _ typename: String,
    _ collected: inout Collected
  ) -> Bool {
    var types = source.types
    if let condition {
      guard let type = schema.type(named: condition) else { return false }
      // A type that the app does not know satisfies what the document knows of it.
      let isKnown = types.contains { schema.isSubtype($0.name, of: condition) }
      guard isKnown || schema.isPossibleType(typename, of: type) else { return false }
      types.append(type)
      collected.types.append(type)
    }
    collect(Source(selections: selectionSet.selections, types: types), typename, &collected)
    return true
  }

  private func add(_ field: Field, _ types: [NamedType], _ collected: inout Collected) {
    let definition = types.reversed().lazy.compactMap { schema.field(named: field.name.value, on: $0) }.first
    let inner = definition.flatMap { schema.type(of: $0.type) }
    let sources = field.selectionSet.map { [Source(selections: $0.selections, types: inner.map { [$0] } ?? [])] } ?? []
    if let index = collected.fields.firstIndex(where: { $0.key == field.responseKey }) {
      collected.fields[index].sources += sources
    } else {
      collected.fields.append(Selected(key: field.responseKey, field: field, definition: definition, sources: sources))
    }
  }

  private func isIncluded(_ directives: [Directive]) -> Bool {
    directives.allSatisfy { directive in
      guard let value = directive.argument("if").flatMap(value) else { return true }
      switch directive.name.value {
      case "include": return value == .bool(true)
      case "skip": return value == .bool(false)
      default: return true
      }
    }
  }

  // MARK: Accessors

  /// A selection may be there or not, whatever the type of its object is.
  public var hasConditions: Bool { text.contains("@include") || text.contains("@skip") }

  /// The variables that selections may depend on.
  public var booleanVariables: [String] {
    definition.variableDefinitions.filter { $0.type.description.hasPrefix("Boolean") }.map(\.name.value)
  }

  /// The keys of the document's fields, each once.
  public var responseKeys: Set<String> {
    func keys(_ selections: SelectionSet) -> [String] {
      selections.selections.flatMap { selection -> [String] in
        switch selection {
        case .field(let field): [field.responseKey] + (field.selectionSet.map(keys) ?? [])
        case .inlineFragment(let inline): keys(inline.selectionSet)
        case .fragmentSpread: []
        }
      }
    }
    return Set(keys(definition.selectionSet) + fragments.values.flatMap { keys($0.selectionSet) })
  }

  /// What the accessors of fragments are called, apart from case and underscores.
  public var fragmentAccessors: [String] { Array(fragments.keys) + typeConditions.map { "as" + $0 } }

  /// Those of them that every selection set which has them has for an object, where nothing stands under a condition.
  public func alwaysApplied(to object: GraphQLValue) -> [String] {
    guard let typename = object["__typename"]?.string else { return [] }
    func applies(_ type: String) -> Bool {
      schema.type(named: type).map { schema.isPossibleType(typename, of: $0) } ?? false
    }
    return fragments.values.filter { applies($0.typeCondition.value) }.map(\.name.value)
      + typeConditions.filter(applies).map { "as" + $0 }
  }

  /// The type of an object is one of an interface or a union, so that fragments may be on several types.
  public func hasTypeConditions(for object: GraphQLValue) -> Bool {
    guard let typename = object["__typename"]?.string else { return false }
    return schema.definedTypes.contains { $0.isAbstract && schema.isPossibleType(typename, of: $0) }
  }

  private var typeConditions: [String] {
    schema.definedTypes.filter { $0.isComposite && text.contains("on \($0.name) ") }.map(\.name)
  }

  // MARK: Arguments

  /// nil for a variable without a value.
  private func value(_ literal: GraphQLSyntax.Value) -> GraphQLValue? {
    if case .variable(let name) = literal.kind { return variables[name.value] }
    switch literal.kind {
    case .list(let values): return .list(values.compactMap(value))
    case .object(let fields):
      return .object(
        GraphQLValue.Object(fields.compactMap { field in value(field.value).map { (field.name.value, $0) } }))
    default: return GraphQLValue(untyped: literal)
    }
  }

  /// The name of a field with its arguments.
  func fieldKey(_ field: Field) -> String {
    let arguments = field.arguments.compactMap { argument in
      value(argument.value).map { (argument.name.value, $0) }
    }
    guard !arguments.isEmpty else { return field.name.value }
    return
      "\(field.name.value)(\(arguments.sorted { $0.0 < $1.0 }.map { "\($0.0):\(Self.text($0.1))" }.joined(separator: ",")))"
  }

  private static func text(_ value: GraphQLValue) -> String {
    guard case .object(let members) = value else {
      if case .list(let values) = value { return "[\(values.map(text).joined(separator: ","))]" }
      return String(decoding: value.json, as: UTF8.self)
    }
    return "{\(members.sorted { $0.key < $1.key }.map { "\($0.key):\(text($0.value))" }.joined(separator: ","))}"
  }

  // MARK: Keys

  /// The key fields that all objects of a type share; nil if there are none.
  private func sharedKeyFields(of type: NamedType) -> [String]? {
    let all = Set(schema.possibleTypes(of: type).map { ConsistentServer.keyFields(of: $0, schema) })
    guard all.count == 1, let fields = all.first, !fields.isEmpty else { return nil }
    guard fields.allSatisfy({ schema.field(named: $0, on: type) != nil }) else { return nil }
    return fields
  }

  /// The cache key of an object: that of the first type it is known to be of whose objects all have the same key fields,
  /// or else that of its own type, if the document selects all of its fields.
  func key(of object: GraphQLValue, typename: String, _ collected: Collected) -> String? {
    guard let fields = keyFields(typename: typename, collected) else { return nil }
    let values = fields.map { object[$0] ?? .null }
    if values.contains(where: \.isNull) { return nil }
    return ([typename] + values.map { String(decoding: $0.json, as: UTF8.self) }).joined(separator: " ")
  }

  func keyFields(typename: String, _ collected: Collected) -> [String]? {
    collected.types.lazy.compactMap(sharedKeyFields).first ?? ownKeyFields(typename, collected)
  }

  private func ownKeyFields(_ typename: String, _ collected: Collected) -> [String]? {
    guard case .object(let type)? = schema.type(named: typename) else { return nil }
    let fields = ConsistentServer.keyFields(of: type, schema)
    let isSelected = fields.allSatisfy { name in
      collected.fields.contains { $0.key == name && $0.field.name.value == name }
    }
    return fields.isEmpty || !isSelected ? nil : fields
  }
}

extension Document {
  /// With the selections of fragments with variables in place of their spreads.
  fileprivate var withFragmentArgumentsInPlace: Document { inliningFragmentArguments() ?? self }
}
