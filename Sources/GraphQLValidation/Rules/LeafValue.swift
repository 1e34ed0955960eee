import GraphQLSchema
import GraphQLSyntax

/// Whether a literal can be read as a scalar or an enum value
/// — [spec](https://spec.graphql.org/September2025/#sec-Scalars.Built-in-Scalars)
enum LeafValue {
  struct Problem {
    var message: String
    var help: String?
  }

  /// What is wrong with a value that is neither a variable, nor `null`, nor an object for an input object type; `nil`
  /// when nothing is. Custom scalars can read everything.
  static func problem(
    with value: Value, as type: NamedType, expected: TypeReference, _ context: ValidationContext
  ) -> Problem? {
    switch type {
    case .scalar(let scalar): problem(with: value, as: scalar)
    case .enum(let type): problem(with: value, as: type, context)
    case .inputObject, .object, .interface, .union:
      Problem(message: "Expected value of type \"\(expected)\", found \(Printer.print(value)).")
    }
  }

  private static func problem(with value: Value, as scalar: ScalarType) -> Problem? {
    let expectation: String
    switch (scalar.name, value.kind) {
    case ("Int", .int(let digits)):
      if Int32(digits) != nil { return nil }
      return Problem(message: "Int cannot represent non 32-bit signed integer value: \(digits)")
    case ("Float", .int), ("Float", .float), ("String", .string), ("Boolean", .boolean), ("ID", .string), ("ID", .int):
      return nil
    case ("Int", _): expectation = "Int cannot represent non-integer value"
    case ("Float", _): expectation = "Float cannot represent non numeric value"
    case ("String", _): expectation = "String cannot represent a non string value"
    case ("Boolean", _): expectation = "Boolean cannot represent a non boolean value"
    case ("ID", _): expectation = "ID cannot represent a non-string and non-integer value"
    default: return nil
    }
    return Problem(message: "\(expectation): \(Printer.print(value))")
  }

  private static func problem(with value: Value, as type: EnumType, _ context: ValidationContext) -> Problem? {
    let written: String
    if case .enum(let name) = value.kind {
      if type.values.contains(name) { return nil }
      written = name
    } else if case .string(let string) = value.kind {
      written = string.value
    } else {
      written = Printer.print(value)
    }
    let similar = context.similar(to: written, among: type.values.map(\.name.value))
    let help = Suggestions.didYouMean("the enum value", similar)
    if case .enum = value.kind {
      return Problem(message: "Value \"\(written)\" does not exist in \"\(type.name)\" enum.", help: help)
    }
    return Problem(
      message: "Enum \"\(type.name)\" cannot represent non-enum value: \(Printer.print(value)).", help: help)
  }
}
