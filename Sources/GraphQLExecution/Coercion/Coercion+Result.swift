import GraphQLSchema
import GraphQLSyntax

extension Coercion {
  /// What the response carries for a value of a scalar type
  /// — [spec](https://spec.graphql.org/September2025/#sec-Scalars.Result-Coercion)
  func result(_ value: GraphQLValue, of type: ScalarType) throws -> GraphQLValue {
    let result = try scalar(type.name).result(value)
    guard !result.isNull, result.isJSON else {
      throw ExecutionError("\(type.name) cannot represent value: \(value)")
    }
    return result
  }

  /// What the response carries for a value of an enum type
  /// — [spec](https://spec.graphql.org/September2025/#sec-Enums.Result-Coercion)
  func result(_ value: GraphQLValue, of type: EnumType) throws -> GraphQLValue {
    guard case .string(let name) = value, type.values.contains(name) else {
      throw ExecutionError("Enum \"\(type.name)\" cannot represent value: \(value)")
    }
    return value
  }
}

extension GraphQLValue {
  /// Whether JSON can hold it.
  fileprivate var isJSON: Bool {
    switch self {
    case .null, .bool, .int, .string: true
    case .double(let value): value.isFinite
    case .list(let elements): elements.allSatisfy(\.isJSON)
    case .object(let members): members.allSatisfy(\.value.isJSON)
    case .opaque: false
    }
  }
}
