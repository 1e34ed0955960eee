/// The type of a field, a variable or an input field.
///
/// Types are non-null unless they say otherwise: `[Episode!]` is `.nullable(.list(.enum("Episode")))`.
public indirect enum ValueType: Sendable, Hashable {
  case scalar(BuiltInScalar)
  case customScalar(String)
  case `enum`(String)
  case inputObject(String)
  /// An object, interface or union; what is known of it is the shape of the field.
  case object
  case list(ValueType)
  case nullable(ValueType)

  /// The type inside of all lists.
  public var leaf: ValueType {
    switch self {
    case .list(let type), .nullable(let type): type.leaf
    default: self
    }
  }

  public var isNullable: Bool {
    if case .nullable = self { true } else { false }
  }

  public var isList: Bool {
    switch self {
    case .list: true
    case .nullable(let type): type.isList
    default: false
    }
  }

  /// The type without the outermost nullability.
  public var unwrapped: ValueType {
    if case .nullable(let type) = self { type } else { self }
  }
}

/// The scalars of the specification, section 3.5.
public enum BuiltInScalar: String, Sendable, CaseIterable {
  case int = "Int"
  case float = "Float"
  case string = "String"
  case boolean = "Boolean"
  case id = "ID"
}

/// A value without variables: a default.
public indirect enum ConstantValue: Sendable, Hashable {
  case int(String)
  case float(String)
  case string(String)
  case boolean(Bool)
  case null
  case `enum`(String)
  case list([ConstantValue])
  case object([Field])

  public struct Field: Sendable, Hashable {
    public var name: String
    public var value: ConstantValue
  }
}
