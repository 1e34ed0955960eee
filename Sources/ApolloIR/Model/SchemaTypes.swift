public import ApolloDirectives

/// The types of the schema that generated code uses, each kind in the order of the schema.
public struct SchemaTypes: Sendable, Equatable {
  /// The enums.
  public var enums: [EnumType] = []
  /// The input object types.
  public var inputObjects: [InputObjectType] = []
  /// The scalars that the specification does not define.
  public var customScalars: [CustomScalarType] = []
  /// The type conditions of fragments, with the object types that satisfy them.
  public var typeConditions: [TypeCondition] = []
  /// The object types that operations may receive, with the fields that are selected on them; and the object types that
  /// share an interface with one of these.
  public var objects: [ObjectType] = []
  /// The interfaces that are types of fields, or that these object types implement.
  public var interfaces: [InterfaceType] = []
  /// The unions that are types of fields.
  public var unions: [UnionType] = []
}

/// An object type of the schema.
public struct ObjectType: Sendable, Equatable {
  /// A field that operations select.
  public struct Field: Sendable, Equatable {
    /// The name of the field in the schema.
    public var name: String
    /// The type of the field.
    public var type: ValueType
    /// The name of the field's type in the schema.
    public var typeName: String
    /// The names that the field has in responses: aliases, and its own name if it is selected without an alias.
    public var responseKeys: [String]
    /// The aliases of this field alone: those that operations give to no other field of the type, and that are not the name
    /// of a field of the type.
    public var aliases: [String]
  }

  /// How old a field may be.
  public struct FieldMaxAge: Sendable, Equatable {
    /// The name of the field in the schema.
    public var name: String
    /// How old its value may be.
    public var age: DeclaredAge
  }

  /// The name of the type.
  public var name: String
  /// The names of the interfaces that it implements.
  public var interfaces: [String]
  /// The fields of `@typePolicy(keyFields:)` on the type itself; nil if it has none.
  public var keyFields: [String]?
  /// The fields of `@onDelete(cascade: true)`, of the type or of its interfaces.
  public var cascadingFields: [String]
  /// How old the objects of the type may be, as the type or its interfaces say; nil if they do not say it.
  public var maxAge: DeclaredAge?
  /// How old fields may be, as the type or its interfaces say, in the order of the schema.
  public var fieldMaxAges: [FieldMaxAge]
  /// The fields that operations select.
  public var fields: [Field]
  /// Whether a field or a fragment has this type, and not only an interface or a union that the type belongs to.
  public var isMentioned: Bool
  /// Whether operations may receive objects of this type.
  public var isReceived: Bool
  /// Whether it is the type of the root of queries.
  public var isQueryRoot: Bool

  /// Whether only a description of the type tells the cache what the schema says of its objects.
  public var hasCacheRules: Bool { !cascadingFields.isEmpty || maxAge != nil || !fieldMaxAges.isEmpty }
}

/// An interface of the schema.
public struct InterfaceType: Sendable, Equatable {
  /// The name of the interface.
  public var name: String
  /// The fields of `@typePolicy(keyFields:)`; nil if there are none.
  public var keyFields: [String]?
  /// The names of the object types that implement it.
  public var possibleTypes: [String]
}

/// A union of the schema.
public struct UnionType: Sendable, Equatable {
  /// The name of the union.
  public var name: String
  /// The names of the object types in it.
  public var possibleTypes: [String]
}

/// An enum of the schema.
public struct EnumType: Sendable, Equatable {
  /// A value of an enum.
  public struct Value: Sendable, Equatable {
    /// The name of the value.
    public var name: String
    /// The description in the schema; nil if there is none.
    public var description: String?
    /// Why the value is deprecated; nil if it is not.
    public var deprecationReason: String?
  }

  /// The name of the enum.
  public var name: String
  /// The description in the schema; nil if there is none.
  public var description: String?
  /// The values, in the order of the schema.
  public var values: [Value]
}

/// An input object type of the schema.
public struct InputObjectType: Sendable, Equatable {
  /// An input field.
  public struct Field: Sendable, Equatable {
    /// The name of the field.
    public var name: String
    /// The type of the field.
    public var type: ValueType
    /// The default value; nil if there is none.
    public var defaultValue: ConstantValue?
    /// The description in the schema; nil if there is none.
    public var description: String?
    /// Why the field is deprecated; nil if it is not.
    public var deprecationReason: String?
    /// Whether its value may contain another value of the type that the field belongs to, other than in a list.
    public var isRecursive: Bool
  }

  /// The name of the type.
  public var name: String
  /// The description in the schema; nil if there is none.
  public var description: String?
  /// The fields, in the order of the schema.
  public var fields: [Field]
  /// Whether exactly one field must be given (`@oneOf`).
  public var isOneOf: Bool
}

/// A scalar that the specification does not define.
public struct CustomScalarType: Sendable, Equatable {
  /// The name of the scalar.
  public var name: String
  /// The description in the schema; nil if there is none.
  public var description: String?
  /// The address of `@specifiedBy`, with the specification of the scalar; nil if there is none.
  public var specifiedByURL: String?
}

/// A type that is the type condition of a fragment.
public struct TypeCondition: Sendable, Equatable {
  /// The name of the type.
  public var name: String
  /// The names of the object types that satisfy it, in the order of the schema.
  public var possibleTypes: [String]
}
