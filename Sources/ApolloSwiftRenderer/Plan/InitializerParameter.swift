import ApolloIR

/// A parameter of a generated initializer, for a property of an input type.
///
/// Usually it has the type of the property. With the names of Apollo iOS 0.x, it has the type of that release: an
/// optional in place of a `GraphQLNullable`, and an enum without `GraphQLEnum`.
struct InitializerParameter {
  let type: SwiftType
  /// The default for an absent value; nil if a value must be given.
  let absence: String?
  private var conversion: Conversion?

  /// How the value of the property is made of the argument.
  private struct Conversion {
    var passed: ValueType
    /// The label of the initializer of `GraphQLNullable`; nil if it is not used.
    var label: String?
  }

  /// A parameter for a variable of an operation. nil leaves out the variable.
  init(variable type: ValueType, types: SwiftTypes) {
    self.init(
      type: types.input(type), absence: type.isNullable ? ".none" : nil,
      legacy: Conversion(passed: type, label: type.isNullable ? "absentIfNil" : nil), types: types)
  }

  /// A parameter for a field of an input object. In Apollo iOS 0.x it is of type `T??`: the literal `nil` leaves out
  /// the field, and a variable that is nil is sent as null.
  /// - Parameters:
  ///   - type: The type of the field.
  ///   - hasDefault: Whether the field has a default value. A non-null field with a default may be left out, so its
  ///     parameter is an optional.
  ///   - types: Gives the types in Swift.
  init(inputField type: ValueType, hasDefault: Bool, types: SwiftTypes) {
    let isDefaulted = !type.isNullable && hasDefault
    self.init(
      type: isDefaulted ? .optional(types.input(type)) : types.input(type),
      absence: isDefaulted ? "nil" : type.isNullable ? ".none" : nil,
      legacy: Conversion(
        passed: type.isNullable || isDefaulted ? .nullable(type) : type,
        label: type.isNullable ? "doublyOptional" : nil), types: types)
  }

  private init(type: SwiftType, absence: String?, legacy: Conversion, types: SwiftTypes) {
    let isLegacy = types.options.naming == .legacy
    self.type = isLegacy ? Self.bare(legacy.passed, types) : type
    self.absence = isLegacy && absence != nil ? "nil" : absence
    conversion = isLegacy ? legacy : nil
  }

  /// The expression for the value of the property; `name` is the name of the parameter.
  func value(_ name: String) -> String {
    guard let conversion else { return name }
    let value = Self.wrapped(name, conversion.passed)
    return conversion.label.map { "GraphQLNullable(\($0): \(value))" } ?? value
  }

  /// The type without `GraphQLNullable` and `GraphQLEnum`.
  private static func bare(_ type: ValueType, _ types: SwiftTypes) -> SwiftType {
    switch type {
    case .nullable(let type): .optional(bare(type, types))
    case .list(let element): .array(bare(element, types))
    case .enum(let name): types.schemaType(name)
    default: types.leaf(type, isInput: true)
    }
  }

  /// The value with its enums wrapped in `GraphQLEnum`.
  private static func wrapped(_ value: String, _ type: ValueType) -> String {
    guard case .enum = type.leaf else { return value }
    return switch type {
    case .list(let inner), .nullable(let inner): "\(value).map { \(wrapped("$0", inner)) }"
    default: "GraphQLEnum(\(value))"
    }
  }
}
