import GraphQLSyntax

extension ScalarCoercion {
  /// The rules of the [built-in scalars](https://spec.graphql.org/September2025/#sec-Scalars.Built-in-Scalars), by
  /// name.
  static let builtIn: [String: ScalarCoercion] = [
    "Int": int, "Float": float, "String": string, "Boolean": boolean, "ID": id,
  ]

  /// 32 bits, signed — [spec](https://spec.graphql.org/September2025/#sec-Int)
  private static let int = ScalarCoercion(
    literal: { kind in if case .int(let digits) = kind { GraphQLValue(digits: digits) } else { nil } },
    input: { value in
      guard let number = value.double else { throw ExecutionError("Int cannot represent non-integer value: \(value)") }
      return try int32(number, value)
    },
    result: { value in
      guard let number = numeric(value) else {
        throw ExecutionError("Int cannot represent non-integer value: \(value)")
      }
      return try int32(number, value)
    })

  private static func int32(_ number: Double, _ value: GraphQLValue) throws -> GraphQLValue {
    guard number.isWhole else {
      throw ExecutionError("Int cannot represent non-integer value: \(value)")
    }
    guard (-0x1p31...0x1p31 - 1).contains(number) else {
      throw ExecutionError("Int cannot represent non 32-bit signed integer value: \(value)")
    }
    return .int(Int(number))
  }

  /// Finite double precision — [spec](https://spec.graphql.org/September2025/#sec-Float)
  private static let float = ScalarCoercion(
    literal: { kind in
      switch kind {
      case .int(let digits), .float(let digits): GraphQLValue(digits: digits)
      default: nil
      }
    },
    input: { value in
      guard let number = value.double, number.isFinite else {
        throw ExecutionError("Float cannot represent non numeric value: \(value)")
      }
      return .double(number)
    },
    result: { value in
      guard let number = numeric(value), number.isFinite else {
        throw ExecutionError("Float cannot represent non numeric value: \(value)")
      }
      return .double(number)
    })

  /// The number of a result. Booleans are 0 and 1, and strings of digits are read as numbers.
  private static func numeric(_ value: GraphQLValue) -> Double? {
    switch value {
    case .bool(let flag): flag ? 1 : 0
    case .string(let text): Double(text)
    default: value.double
    }
  }

  /// [Spec](https://spec.graphql.org/September2025/#sec-String)
  private static let string = ScalarCoercion(
    literal: { kind in if case .string(let string) = kind { .string(string.value) } else { nil } },
    input: { value in
      guard value.string != nil else { throw ExecutionError("String cannot represent a non string value: \(value)") }
      return value
    },
    result: { value in
      switch value {
      case .string: return value
      case .bool, .int: return .string(value.description)
      case .double(let number) where number.isFinite: return .string(value.description)
      default: throw ExecutionError("String cannot represent value: \(value)")
      }
    })

  /// [Spec](https://spec.graphql.org/September2025/#sec-Boolean)
  private static let boolean = ScalarCoercion(
    literal: { kind in if case .boolean(let value) = kind { .bool(value) } else { nil } },
    input: { value in
      guard value.bool != nil else { throw ExecutionError("Boolean cannot represent a non boolean value: \(value)") }
      return value
    },
    result: { value in
      if value.bool != nil { return value }
      guard let number = value.double, number.isFinite else {
        throw ExecutionError("Boolean cannot represent a non boolean value: \(value)")
      }
      return .bool(number != 0)
    })

  /// A string, which a client may also give as an integer — [spec](https://spec.graphql.org/September2025/#sec-ID)
  private static let id = ScalarCoercion(
    literal: { kind in
      switch kind {
      case .string(let string): .string(string.value)
      case .int(let digits): .string(digits)
      default: nil
      }
    },
    input: { try idText($0) }, result: { try idText($0) })

  private static func idText(_ value: GraphQLValue) throws -> GraphQLValue {
    switch value {
    case .string: return value
    case .int: return .string(value.description)
    case .double(let number) where number.isWhole && number.magnitude < 0x1p53:
      return .string(value.description)
    default: throw ExecutionError("ID cannot represent value: \(value)")
    }
  }
}

extension Double {
  /// Whether it is finite and has no fraction. (`rounded()` needs the library of mathematical functions, which programs
  /// without Foundation may not have linked.)
  fileprivate var isWhole: Bool {
    // From 2^52 on there are no fractions.
    isFinite && (magnitude >= 0x1p52 || Double(Int64(self)) == self)
  }
}
