public import GraphQLSyntax

/// A type system — [spec](https://spec.graphql.org/September2025/#sec-Schema)
///
/// Its parts are the nodes of the syntax tree that defined them. Types refer to each other by name, and finding a type
/// by name takes constant time. A schema never changes, and its parts do not refer back to it.
public final class Schema: Sendable {
  /// An edition of the specification, which decides what is built in: the types of introspection, and the places of
  /// `@deprecated`.
  public enum Edition: Sendable, Hashable {
    /// The edition of [September 2025](https://spec.graphql.org/September2025/).
    case september2025
    /// The [draft](https://spec.graphql.org/draft/) of the next edition, in which directives can be deprecated.
    case draft

    var builtIn: BuiltIn {
      switch self {
      case .september2025: .september2025
      case .draft: .draft
      }
    }
  }

  /// The edition that the built-in types and directives are of.
  public let edition: Edition
  /// The description before the `schema` definition; nil if there is none.
  public let description: String?
  /// The directives applied to the schema itself.
  public let directives: [Directive]
  /// The `schema` definition with its extensions merged in. nil if there is none, so that root types have their default
  /// names.
  public let definition: SchemaDefinition?
  /// The types that documents defined, in order. ``allTypes`` has the built-in types as well.
  public let definedTypes: [NamedType]
  /// The directives that documents defined, in order. Built-in directives are left out unless a document redefined
  /// them.
  public let definedDirectives: [DirectiveDefinition]
  /// All directives that documents may use: defined directives, built-in ones, and `@link` if it is used. Directives
  /// that ``links`` import are not in the list, because their definitions are not known.
  public let directiveDefinitions: NamedList<DirectiveDefinition>
  /// The directives that introspection lists: those whose arguments have types.
  ///
  /// A schema that uses `@link` without defining it has the directive, but not the types of its arguments. An argument
  /// without a type would be an error.
  package var introspectedDirectives: [DirectiveDefinition] {
    directiveDefinitions.filter { $0.arguments.allSatisfy { type(of: $0.type) != nil } }
  }
  /// The specifications that this schema takes definitions from with `@link`.
  public let links: [SchemaLink]

  private let types: [String: NamedType]
  private let rootTypes: [OperationType: ObjectType]
  private let relations: TypeRelations

  init(parts: SchemaParts, edition: Edition = .draft) {
    self.edition = edition
    let builtIn = edition.builtIn
    definition = parts.definition
    description = parts.definition?.description?.value
    directives = parts.definition?.directives ?? []
    // The types of introspection are those of the specification, even if a document defines them otherwise.
    let defined = parts.types.filter { !BuiltIn.isIntrospectionType($0.name) }
    definedTypes = defined
    definedDirectives = parts.directives
    let linked = LinkedDefinitions(directives, referencedTypes: parts.referencedTypes)
    links = linked.links
    directiveDefinitions = NamedList(parts.directives + builtIn.directives + linked.directives)
    // A document may describe a built-in scalar, and its description is kept. Scalars that no type refers to do not
    // exist (https://spec.graphql.org/September2025/#sec-Scalars.Built-in-Scalars).
    var types = builtIn.types.merging(defined.map { ($0.name, $0) }) { $1 }
    for name in parts.unreferencedScalars { types[name] = nil }
    for type in linked.types where types[type.name] == nil { types[type.name] = type }
    self.types = types
    rootTypes = parts.rootTypes.compactMapValues { name in
      if case .object(let type)? = types[name] { type } else { nil }
    }
    relations = TypeRelations(defined, types: types)
  }

  /// All types, in the order in which servers list them: each defined type is followed by the built-in types that it is
  /// the first to refer to; the introspection types are last.
  public var allTypes: [NamedType] { TypeOrder.sort(definedTypes, in: self) }

  /// The type with a name, which may be built in; nil if there is none.
  public func type(named name: String) -> NamedType? { types[name] }

  /// Whether a type is built in: every schema has it, but lists it only if another type refers to it.
  public static func isBuiltIn(typeNamed name: String) -> Bool { BuiltIn.isType(name) }

  /// The object type with a name; nil if there is none.
  public func object(named name: String) -> ObjectType? {
    if case .object(let type)? = types[name] { type } else { nil }
  }

  /// The named type inside of all lists of a reference; nil if the schema does not have it.
  public func type(of reference: TypeReference) -> NamedType? { types[reference.namedType.value] }

  /// The object type at which operations of a kind begin; nil if the schema does not support them.
  public func rootType(for operation: OperationType) -> ObjectType? { rootTypes[operation] }

  /// The root type of queries; nil if the schema has none.
  public var queryType: ObjectType? { rootTypes[.query] }
  /// The root type of mutations; nil if the schema has none.
  public var mutationType: ObjectType? { rootTypes[.mutation] }
  /// The root type of subscriptions; nil if the schema has none.
  public var subscriptionType: ObjectType? { rootTypes[.subscription] }

  /// The directive with a name, given without its `@`; nil if there is none.
  public func directive(named name: String) -> DirectiveDefinition? { directiveDefinitions[name] }

  /// Whether a directive is imported from a specification that the schema links to. Documents may use it although its
  /// definition is not known.
  public func isLinked(directive name: String) -> Bool { links.contains { $0.provides("@\(name)") } }

  /// The definition of a field that may be selected on a type; nil if there is none. Meta-fields are included:
  /// `__typename` on every composite type, and `__schema` and `__type` on the query type.
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

  /// The object types that a value of a type can have: an object type itself, the members of a union, or the object
  /// types that implement an interface, in the order of their definition —
  /// [spec](https://spec.graphql.org/September2025/#GetPossibleTypes())
  public func possibleTypes(of type: NamedType) -> [ObjectType] {
    if case .object(let object) = type { return [object] }
    return relations.possibleTypes[type.name]?.types ?? []
  }

  /// Whether an object type is one of the possible types of a type.
  public func isPossibleType(_ object: String, of type: NamedType) -> Bool {
    if case .object = type { return type.name == object }
    return relations.possibleTypes[type.name]?.names.contains(object) ?? false
  }

  /// Whether a type equals another type, implements it, or is a member of it.
  public func isSubtype(_ name: String, of other: String) -> Bool {
    name == other || relations.subtypes[other]?.contains(name) ?? false
  }

  /// Whether a value of one type is allowed where another type is expected —
  /// [spec](https://spec.graphql.org/September2025/#IsValidImplementationFieldType())
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

  /// Whether two types have a possible type in common.
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
