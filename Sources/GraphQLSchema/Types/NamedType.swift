public import GraphQLSyntax

/// A type of a schema, by kind — [spec](https://spec.graphql.org/September2025/#sec-Types)
public enum NamedType: Sendable {
  case scalar(ScalarType)
  case object(ObjectType)
  case interface(InterfaceType)
  case union(UnionType)
  case `enum`(EnumType)
  case inputObject(InputObjectType)

  /// The definition with its extensions merged in.
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

  public var description: String? { definition.description?.value }

  /// The directives applied to the definition and its extensions.
  public var directives: [Directive] { definition.directives }

  public var span: SourceSpan { definition.span }

  /// Whether values of this type may be given by a client: scalars, enums and input objects.
  /// — [spec](https://spec.graphql.org/September2025/#IsInputType())
  public var isInput: Bool {
    switch self {
    case .scalar, .enum, .inputObject: true
    case .object, .interface, .union: false
    }
  }

  /// Whether fields may have this type: everything but input objects.
  /// — [spec](https://spec.graphql.org/September2025/#IsOutputType())
  public var isOutput: Bool {
    if case .inputObject = self { false } else { true }
  }

  /// Whether a selection set may follow: objects, interfaces and unions.
  public var isComposite: Bool {
    switch self {
    case .object, .interface, .union: true
    case .scalar, .enum, .inputObject: false
    }
  }

  /// Whether no selection set may follow: scalars and enums.
  public var isLeaf: Bool {
    switch self {
    case .scalar, .enum: true
    case .object, .interface, .union, .inputObject: false
    }
  }

  /// Whether it stands for several object types: interfaces and unions.
  public var isAbstract: Bool {
    switch self {
    case .interface, .union: true
    case .scalar, .object, .enum, .inputObject: false
    }
  }

  /// The fields of an object or interface type; `nil` for other kinds.
  public var fields: NamedList<FieldDefinition>? {
    switch self {
    case .object(let type): type.fields
    case .interface(let type): type.fields
    case .scalar, .union, .enum, .inputObject: nil
    }
  }

  /// The names of the interfaces that an object or interface type says it implements; empty for other kinds.
  public var interfaces: [Name] { definition.body.interfaces }
}

extension NamedType: Hashable {
  /// Types of one schema are equal when they have the same name.
  public static func == (left: NamedType, right: NamedType) -> Bool { left.name == right.name }

  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// What all kinds of types have.
public protocol SchemaType: AnyObject, Sendable {
  /// The definition with its extensions merged in.
  var definition: TypeDefinition { get }
}

extension SchemaType {
  public var name: String { definition.name.value }
  public var description: String? { definition.description?.value }
  /// The directives applied to the definition and its extensions.
  public var directives: [Directive] { definition.directives }
  public var span: SourceSpan { definition.span }
}

/// [Scalars](https://spec.graphql.org/September2025/#sec-Scalars)
public final class ScalarType: SchemaType {
  public let definition: TypeDefinition

  init(_ definition: TypeDefinition) { self.definition = definition }

  /// The URL of the text that says what its values look like, or `nil`.
  public var specifiedByURL: String? {
    guard case .string(let url)? = directives.first(named: "specifiedBy")?.argument("url")?.kind else { return nil }
    return url.value
  }
}

/// [Objects](https://spec.graphql.org/September2025/#sec-Objects)
public final class ObjectType: SchemaType {
  public let definition: TypeDefinition
  public let interfaces: [Name]
  public let fields: NamedList<FieldDefinition>

  init(_ definition: TypeDefinition, interfaces: [Name], fields: [FieldDefinition]) {
    self.definition = definition
    self.interfaces = interfaces
    self.fields = NamedList(fields)
  }
}

/// [Interfaces](https://spec.graphql.org/September2025/#sec-Interfaces)
public final class InterfaceType: SchemaType {
  public let definition: TypeDefinition
  public let interfaces: [Name]
  public let fields: NamedList<FieldDefinition>

  init(_ definition: TypeDefinition, interfaces: [Name], fields: [FieldDefinition]) {
    self.definition = definition
    self.interfaces = interfaces
    self.fields = NamedList(fields)
  }
}

/// [Unions](https://spec.graphql.org/September2025/#sec-Unions)
public final class UnionType: SchemaType {
  public let definition: TypeDefinition
  public let members: [Name]

  init(_ definition: TypeDefinition, members: [Name]) {
    self.definition = definition
    self.members = members
  }
}

/// [Enums](https://spec.graphql.org/September2025/#sec-Enums)
public final class EnumType: SchemaType {
  public let definition: TypeDefinition
  public let values: NamedList<EnumValueDefinition>

  init(_ definition: TypeDefinition, values: [EnumValueDefinition]) {
    self.definition = definition
    self.values = NamedList(values)
  }
}

/// [Input objects](https://spec.graphql.org/September2025/#sec-Input-Objects)
public final class InputObjectType: SchemaType {
  public let definition: TypeDefinition
  public let fields: NamedList<InputValueDefinition>

  init(_ definition: TypeDefinition, fields: [InputValueDefinition]) {
    self.definition = definition
    self.fields = NamedList(fields)
  }

  /// Whether exactly one field must be given
  /// — [spec](https://spec.graphql.org/September2025/#sec-OneOf-Input-Objects)
  public var isOneOf: Bool { directives.first(named: "oneOf") != nil }
}
