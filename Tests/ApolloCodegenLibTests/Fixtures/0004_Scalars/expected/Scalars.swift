public import ApolloAPI

/// A scalar that a user has written.
nonisolated public struct EpochSeconds: CustomScalarType, Hashable {
  public var seconds: Int

  public init(seconds: Int) { self.seconds = seconds }

  public init(_jsonValue value: JSONValue) throws {
    guard let seconds = value as? Int else { throw JSONDecodingError.couldNotConvert(value: value, to: Self.self) }
    self.seconds = seconds
  }

  public var _jsonValue: JSONValue { seconds }
}

/// A scalar that cannot be compared.
nonisolated public struct AnyJSON: CustomScalarType {
  public var value: JSONValue

  public init(_jsonValue value: JSONValue) { self.value = value }
  public var _jsonValue: JSONValue { value }
}
