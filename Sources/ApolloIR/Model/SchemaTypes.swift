/// The types of the schema that generated code mentions, each kind in the order of the schema.
public struct SchemaTypes: Sendable, Equatable {
  public var enums: [EnumType] = []
  public var inputObjects: [InputObjectType] = []
  public var customScalars: [CustomScalarType] = []
  /// The types that fragments are on, with the objects that satisfy them.
  public var typeConditions: [TypeCondition] = []
  /// The object types whose objects operations may get, with the fields that are selected on them.
  public var objects: [ObjectType] = []
  /// The interfaces that fields or these objects are of.
  public var interfaces: [InterfaceType] = []
  /// The unions that fields are of.
  public var unions: [UnionType] = []
}

/// An object type of the schema.
public struct ObjectType: Sendable, Equatable {
  public struct Field: Sendable, Equatable {
    public var name: String
    public var type: ValueType
    /// The name of its type.
    public var typeName: String
    /// The aliases it is selected under, and its name if it is selected under that.
    public var responseKeys: [String]
  }

  public var name: String
  public var interfaces: [String]
  /// The fields of `@typePolicy(keyFields:)` on the type itself.
  public var keyFields: [String]?
  /// Those that operations select.
  public var fields: [Field]
  /// A field or a fragment is of this type, and not only of an interface or a union that it belongs to.
  public var isMentioned: Bool
}

/// An interface of the schema.
public struct InterfaceType: Sendable, Equatable {
  public var name: String
  public var keyFields: [String]?
  /// The object types that implement it.
  public var possibleTypes: [String]
}

/// A union of the schema.
public struct UnionType: Sendable, Equatable {
  public var name: String
  public var possibleTypes: [String]
}

/// An enum of the schema.
public struct EnumType: Sendable, Equatable {
  public struct Value: Sendable, Equatable {
    public var name: String
    public var description: String?
    public var deprecationReason: String?
  }

  public var name: String
  public var description: String?
  public var values: [Value]
}

/// An input object type of the schema.
public struct InputObjectType: Sendable, Equatable {
  public struct Field: Sendable, Equatable {
    public var name: String
    public var type: ValueType
    public var defaultValue: ConstantValue?
    public var description: String?
    public var deprecationReason: String?
    /// Its value may contain another value of the type that the field belongs to, other than in a list.
    public var isRecursive: Bool
  }

  public var name: String
  public var description: String?
  public var fields: [Field]
  /// Exactly one field has to be given (`@oneOf`).
  public var isOneOf: Bool
}

/// A scalar that the specification does not define.
public struct CustomScalarType: Sendable, Equatable {
  public var name: String
  public var description: String?
  public var specifiedByURL: String?
}

/// A type that fragments are on.
public struct TypeCondition: Sendable, Equatable {
  public var name: String
  /// The names of the object types that satisfy it, in the order of the schema.
  public var possibleTypes: [String]
}
