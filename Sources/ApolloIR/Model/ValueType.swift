/// The type of a field, a variable or an input field.
///
/// Types are non-null unless they say otherwise: `[Episode!]` is `.nullable(.list(.enum("Episode")))`.
public indirect enum ValueType: Sendable, Hashable {
  /// A scalar that the specification defines.
  case scalar(BuiltInScalar)
  /// A scalar that the schema defines, by its name.
  case customScalar(String)
  /// An enum, by its name.
  case `enum`(String)
  /// An input object type, by its name.
  case inputObject(String)
  /// An object, interface or union. The field's shape tells which fields are selected on it.
  case object
  /// A list of a type.
  case list(ValueType)
  /// A type whose value may be null.
  case nullable(ValueType)
  /// A value of a type, or the error that the server has in its place.
  case result(ValueType)

  /// The type inside of all lists and nullabilities.
  public var leaf: ValueType {
    switch self {
    case .list(let type), .nullable(let type), .result(let type): type.leaf
    default: self
    }
  }

  /// Whether the value may be null.
  public var isNullable: Bool {
    if case .nullable = self { true } else { false }
  }

  /// Whether an error may stand in place of the value.
  public var isResult: Bool {
    if case .result = self { true } else { false }
  }

  /// Whether an error may stand in place of the value, or of an element of its lists.
  package var hasResults: Bool {
    switch self {
    case .result: true
    case .list(let type), .nullable(let type): type.hasResults
    default: false
    }
  }

  /// Whether the value is a list, nullable or not.
  public var isList: Bool {
    switch self {
    case .list: true
    case .nullable(let type), .result(let type): type.isList
    default: false
    }
  }

  /// The type without the outermost nullability.
  public var unwrapped: ValueType {
    if case .nullable(let type) = self { type } else { self }
  }
}

/// The scalars that the specification defines in section 3.5.
public enum BuiltInScalar: String, Sendable, CaseIterable {
  case int = "Int"
  case float = "Float"
  case string = "String"
  case boolean = "Boolean"
  case id = "ID"
}

/// A value without variables, which is a default value.
public indirect enum ConstantValue: Sendable, Hashable {
  /// An integer, in the digits of the document.
  case int(String)
  /// A number, in the digits of the document.
  case float(String)
  /// A string.
  case string(String)
  /// `true` or `false`.
  case boolean(Bool)
  /// `null`.
  case null
  /// A value of an enum, by its name.
  case `enum`(String)
  /// A list.
  case list([ConstantValue])
  /// An input object.
  case object([Field])

  /// A field of an input object.
  public struct Field: Sendable, Hashable {
    /// The name of the field.
    public var name: String
    /// The value of the field.
    public var value: ConstantValue
  }
}
