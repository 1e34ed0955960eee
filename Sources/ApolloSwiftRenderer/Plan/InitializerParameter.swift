import ApolloIR

/// A parameter of a generated initializer that sets a property of an input type.
///
/// Usually it has the type of the property. With the names of releases 0.x it has the type that it had there: an optional in
/// place of a `GraphQLNullable`, and an enum by itself.
struct InitializerParameter {
  let type: SwiftType
  /// What stands for no value; nil if there has to be one.
  let absence: String?
  private var conversion: Conversion?

  /// Makes the value of the property of what is passed.
  private struct Conversion {
    var passed: ValueType
    /// The label of the initializer of `GraphQLNullable`; nil for none.
    var label: String?
  }

  /// For a variable of an operation: nil leaves it out.
  init(variable type: ValueType, types: SwiftTypes) {
    self.init(
      type: types.input(type), absence: type.isNullable ? ".none" : nil,
      legacy: Conversion(passed: type, label: type.isNullable ? "absentIfNil" : nil), types: types)
  }

  /// For a field of an input object. In releases 0.x that is `T??`: the literal `nil` leaves the field out, and a variable that
  /// is nil is sent as null.
  ///
  /// - Parameter hasDefault: A non-null field that has a default may be left out, which is an optional in Swift.
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

  /// The value of the property, where the parameter is called `name`.
  func value(_ name: String) -> String {
    guard let conversion else { return name }
    let value = Self.wrapped(name, conversion.passed)
    return conversion.label.map { "GraphQLNullable(\($0): \(value))" } ?? value
  }

  /// A type without `GraphQLNullable` and `GraphQLEnum`.
  private static func bare(_ type: ValueType, _ types: SwiftTypes) -> SwiftType {
    switch type {
    case .nullable(let type): .optional(bare(type, types))
    case .list(let element): .array(bare(element, types))
    case .enum(let name): types.schemaType(name)
    default: types.leaf(type)
    }
  }

  /// A value with its enums in `GraphQLEnum`.
  private static func wrapped(_ value: String, _ type: ValueType) -> String {
    guard case .enum = type.leaf else { return value }
    return switch type {
    case .list(let inner), .nullable(let inner): "\(value).map { \(wrapped("$0", inner)) }"
    default: "GraphQLEnum(\(value))"
    }
  }
}
