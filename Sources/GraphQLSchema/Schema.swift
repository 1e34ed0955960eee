public import GraphQLSyntax

/// A type system — [spec](https://spec.graphql.org/September2025/#sec-Schema)
///
/// Members are the nodes of the syntax tree that defined them: types refer to each other by name, and a look-up by
/// name takes constant time. A schema never changes, and nothing in it refers back to it.
public final class Schema: Sendable {
  public let description: String?
  /// The directives applied to the schema itself.
  public let directives: [Directive]
  /// The `schema` definition with its extensions merged in. `nil` when the root types go by their default names.
  public let definition: SchemaDefinition?
  /// The types that documents defined, in order. Built-in ones are left out: ask ``allTypes`` for those too.
  public let definedTypes: [NamedType]
  /// The directives that documents defined, in order. Built-in ones are left out unless a document redefined them.
  public let definedDirectives: [DirectiveDefinition]
  /// All directives that documents may use: the defined ones, the built-in ones, and `@link` where it is used. Directives
  /// that ``links`` import are not among them, as their definitions are elsewhere.
  public let directiveDefinitions: NamedList<DirectiveDefinition>
  /// The specifications that this schema takes definitions from with `@link`.
  public let links: [SchemaLink]

  private let types: [String: NamedType]
  private let rootTypes: [OperationType: ObjectType]
  private let relations: TypeRelations

  init(parts: SchemaParts) {
    definition = parts.definition
    description = parts.definition?.description?.value
    directives = parts.definition?.directives ?? []
    // What introspection is made of is the same in every schema, whatever a document says about it.
    let defined = parts.types.filter { !BuiltIn.isIntrospectionType($0.name) }
    definedTypes = defined
    definedDirectives = parts.directives
    let linked = LinkedDefinitions(directives, referencedTypes: parts.referencedTypes)
    links = linked.links
    directiveDefinitions = NamedList(parts.directives + BuiltIn.directives + linked.directives)
    // A document may describe a built-in scalar; its own words win. Scalars that nothing refers to do not exist
    // (https://spec.graphql.org/September2025/#sec-Scalars.Built-in-Scalars).
    var types = BuiltIn.types.merging(defined.map { ($0.name, $0) }) { $1 }
    for name in parts.unreferencedScalars { types[name] = nil }
    for type in linked.types where types[type.name] == nil { types[type.name] = type }
    self.types = types
    rootTypes = parts.rootTypes.compactMapValues { name in
      if case .object(let type)? = types[name] { type } else { nil }
    }
    relations = TypeRelations(defined, types: types)
  }

  /// All types in the order in which servers list them: the defined ones, each followed by the built-in ones that it is
  /// the first to refer to, and the introspection types.
  public var allTypes: [NamedType] { TypeOrder.sort(definedTypes, in: self) }

  /// The type with this name, built-in ones included.
  public func type(named name: String) -> NamedType? { types[name] }

  /// Whether every schema knows this type, though it lists it only when something refers to it.
  public static func isBuiltIn(typeNamed name: String) -> Bool { BuiltIn.types[name] != nil }

  /// The type with this name when it is an object type.
  public func object(named name: String) -> ObjectType? {
    if case .object(let type)? = types[name] { type } else { nil }
  }

  /// The type inside all lists of a reference.
  public func type(of reference: TypeReference) -> NamedType? { types[reference.namedType.value] }

  /// The type at which operations of this kind begin, or `nil` when the schema does not support them.
  public func rootType(for operation: OperationType) -> ObjectType? { rootTypes[operation] }

  public var queryType: ObjectType? { rootTypes[.query] }
  public var mutationType: ObjectType? { rootTypes[.mutation] }
  public var subscriptionType: ObjectType? { rootTypes[.subscription] }

  /// The directive with this name, without its `@`.
  public func directive(named name: String) -> DirectiveDefinition? { directiveDefinitions[name] }

  /// Whether a directive comes from a specification that the schema links to, so that documents may use it though its
  /// definition is not here.
  public func isLinked(directive name: String) -> Bool { links.contains { $0.provides("@\(name)") } }

  /// The definition of a field that may be selected on a type, meta-fields included: `__typename` on every composite
  /// type, `__schema` and `__type` on the query type.
  public func field(named name: String, on type: NamedType) -> FieldDefinition? {
    if let field = type.fields?[name] { return field }
    guard name.hasPrefix("__") else { return nil }
    switch name {
    case "__typename": return type.isComposite ? BuiltIn.typenameField : nil
    case "__schema": return type.name == queryType?.name ? BuiltIn.schemaField : nil
    case "__type": return type.name == queryType?.name ? BuiltIn.typeField : nil
    default: return nil
    }
  }

  // MARK: - Abstract types

  /// The object types that a value of this type can have: itself, a union's members, or an interface's implementations,
  /// in the order of their definition — [spec](https://spec.graphql.org/September2025/#GetPossibleTypes())
  public func possibleTypes(of type: NamedType) -> [ObjectType] {
    if case .object(let object) = type { return [object] }
    return relations.possibleTypes[type.name]?.types ?? []
  }

  /// Whether an object type is one of the possible types of a type.
  public func isPossibleType(_ object: String, of type: NamedType) -> Bool {
    if case .object = type { return type.name == object }
    return relations.possibleTypes[type.name]?.names.contains(object) ?? false
  }

  /// Whether a type is the same as another, implements it, or is a member of it.
  public func isSubtype(_ name: String, of other: String) -> Bool {
    name == other || relations.subtypes[other]?.contains(name) ?? false
  }

  /// Whether a value of one type may fill a place of another
  /// — [spec](https://spec.graphql.org/September2025/#IsValidImplementationFieldType())
  public func isSubtype(_ reference: TypeReference, of other: TypeReference) -> Bool {
    if other.isNonNull, !reference.isNonNull { return false }
    switch (reference.kind, other.kind) {
    case (.named(let name), .named(let other)): return isSubtype(name.value, of: other.value)
    case (.list(let element), .list(let other)): return isSubtype(element, of: other)
    case (.named, .list), (.list, .named): return false
    }
  }

  /// The object and interface types that implement an interface, in the order of their definition.
  public func implementations(of interface: InterfaceType) -> [NamedType] {
    relations.implementations[interface.name] ?? []
  }

  /// Whether some object type is a possible type of both.
  public func haveCommonPossibleType(_ left: NamedType, _ right: NamedType) -> Bool {
    if left == right { return true }
    switch (left, right) {
    case (.object(let object), _): return isPossibleType(object.name, of: right)
    case (_, .object(let object)): return isPossibleType(object.name, of: left)
    default:
      guard let left = relations.possibleTypes[left.name]?.names, let right = relations.possibleTypes[right.name]?.names
      else { return false }
      return !left.isDisjoint(with: right)
    }
  }
}
