public import GraphQLSyntax

/// A type of a schema, of any kind — [spec](https://spec.graphql.org/September2025/#sec-Types)
public enum NamedType: Sendable {
  case scalar(ScalarType)
  case object(ObjectType)
  case interface(InterfaceType)
  case union(UnionType)
  case `enum`(EnumType)
  case inputObject(InputObjectType)

  /// The definition of the type, with its extensions merged in.
  public var definition: TypeDefinition {
    switch self {
    case .scalar(let type): type.definition
    case .object(let type): type.definition
    case .interface(let type): type.definition
    case .union(let type): type.definition
    case .enum(let type): type.definition
    case .inputObject(let type): type.definition
    }
  }

  /// The name of the type.
  public var name: String {
    switch self {
    case .scalar(let type): type.name
    case .object(let type): type.name
    case .interface(let type): type.name
    case .union(let type): type.name
    case .enum(let type): type.name
    case .inputObject(let type): type.name
    }
  }

  /// The description in the schema; nil if there is none.
  public var description: String? { definition.description?.value }

  /// The directives applied to the definition and its extensions.
  public var directives: [Directive] { definition.directives }

  /// The range of the definition's text; `SourceSpan.none` for built-in types.
  public var span: SourceSpan { definition.span }

  /// Whether a client may send values of this type: true for scalars, enums and input objects. —
  /// [spec](https://spec.graphql.org/September2025/#IsInputType())
  public var isInput: Bool {
    switch self {
    case .scalar, .enum, .inputObject: true
    case .object, .interface, .union: false
    }
  }

  /// Whether a field may have this type: true for all types except input objects. —
  /// [spec](https://spec.graphql.org/September2025/#IsOutputType())
  public var isOutput: Bool {
    if case .inputObject = self { false } else { true }
  }

  /// Whether fields are selected on values of this type: true for objects, interfaces and unions.
  public var isComposite: Bool {
    switch self {
    case .object, .interface, .union: true
    case .scalar, .enum, .inputObject: false
    }
  }

  /// Whether no fields can be selected on values of this type: true for scalars and enums.
  public var isLeaf: Bool {
    switch self {
    case .scalar, .enum: true
    case .object, .interface, .union, .inputObject: false
    }
  }

  /// Whether a value may have one of several object types: true for interfaces and unions.
  public var isAbstract: Bool {
    switch self {
    case .interface, .union: true
    case .scalar, .object, .enum, .inputObject: false
    }
  }

  /// The fields of an object type or interface; nil for other kinds.
  public var fields: NamedList<FieldDefinition>? {
    switch self {
    case .object(let type): type.fields
    case .interface(let type): type.fields
    case .scalar, .union, .enum, .inputObject: nil
    }
  }

  /// The names of the interfaces that an object type or interface declares to implement; empty for other kinds.
  public var interfaces: [Name] { definition.body.interfaces }
}

extension NamedType: Hashable {
  /// Compares names: types of one schema are equal if their names are.
  public static func == (left: NamedType, right: NamedType) -> Bool { left.name == right.name }

  /// Feeds the name into a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// The members that all kinds of types have.
public protocol SchemaType: AnyObject, Sendable {
  /// The definition of the type, with its extensions merged in.
  var definition: TypeDefinition { get }
}

extension SchemaType {
  /// The name of the type.
  public var name: String { definition.name.value }
  /// The description in the schema; nil if there is none.
  public var description: String? { definition.description?.value }
  /// The directives applied to the definition and its extensions.
  public var directives: [Directive] { definition.directives }
  /// The range of the definition's text; `SourceSpan.none` for built-in types.
  public var span: SourceSpan { definition.span }
}

/// A scalar type — [spec](https://spec.graphql.org/September2025/#sec-Scalars)
public final class ScalarType: SchemaType {
  /// The definition of the type, with its extensions merged in.
  public let definition: TypeDefinition

  init(_ definition: TypeDefinition) { self.definition = definition }

  /// The address of the specification of the scalar's values (`@specifiedBy`); nil if there is none.
  public var specifiedByURL: String? {
    guard case .string(let url)? = directives.first(named: "specifiedBy")?.argument("url")?.kind else { return nil }
    return url.value
  }
}

/// An object type — [spec](https://spec.graphql.org/September2025/#sec-Objects)
public final class ObjectType: SchemaType {
  /// The definition of the type, with its extensions merged in.
  public let definition: TypeDefinition
  /// The names of the interfaces that it declares to implement.
  public let interfaces: [Name]
  /// The fields, in the order of their definition.
  public let fields: NamedList<FieldDefinition>

  init(_ definition: TypeDefinition, interfaces: [Name], fields: [FieldDefinition]) {
    self.definition = definition
    self.interfaces = interfaces
    self.fields = NamedList(fields)
  }
}

/// An interface — [spec](https://spec.graphql.org/September2025/#sec-Interfaces)
public final class InterfaceType: SchemaType {
  /// The definition of the type, with its extensions merged in.
  public let definition: TypeDefinition
  /// The names of the interfaces that it declares to implement.
  public let interfaces: [Name]
  /// The fields, in the order of their definition.
  public let fields: NamedList<FieldDefinition>

  init(_ definition: TypeDefinition, interfaces: [Name], fields: [FieldDefinition]) {
    self.definition = definition
    self.interfaces = interfaces
    self.fields = NamedList(fields)
  }
}

/// A union — [spec](https://spec.graphql.org/September2025/#sec-Unions)
public final class UnionType: SchemaType {
  /// The definition of the type, with its extensions merged in.
  public let definition: TypeDefinition
  /// The names of the members, in the order of their definition.
  public let members: [Name]

  init(_ definition: TypeDefinition, members: [Name]) {
    self.definition = definition
    self.members = members
  }
}

/// An enum — [spec](https://spec.graphql.org/September2025/#sec-Enums)
public final class EnumType: SchemaType {
  /// The definition of the type, with its extensions merged in.
  public let definition: TypeDefinition
  /// The values, in the order of their definition.
  public let values: NamedList<EnumValueDefinition>

  init(_ definition: TypeDefinition, values: [EnumValueDefinition]) {
    self.definition = definition
    self.values = NamedList(values)
  }
}

/// An input object type — [spec](https://spec.graphql.org/September2025/#sec-Input-Objects)
public final class InputObjectType: SchemaType {
  /// The definition of the type, with its extensions merged in.
  public let definition: TypeDefinition
  /// The fields, in the order of their definition.
  public let fields: NamedList<InputValueDefinition>

  init(_ definition: TypeDefinition, fields: [InputValueDefinition]) {
    self.definition = definition
    self.fields = NamedList(fields)
  }

  /// Whether exactly one field must be given (`@oneOf`) —
  /// [spec](https://spec.graphql.org/September2025/#sec-OneOf-Input-Objects)
  public var isOneOf: Bool { directives.first(named: "oneOf") != nil }
}
