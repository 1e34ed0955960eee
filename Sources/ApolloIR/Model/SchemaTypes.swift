/// The types of the schema that generated code mentions, each kind in the order of the schema.
public struct SchemaTypes: Sendable, Equatable {
  public var enums: [EnumType] = []
  public var inputObjects: [InputObjectType] = []
  public var customScalars: [CustomScalarType] = []
  /// The types that fragments are on, with the objects that satisfy them.
  public var typeConditions: [TypeCondition] = []
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
