public import ApolloAPI

/// A scalar of the app.
nonisolated public struct Temperature: CustomScalarType, Hashable {
  public var celsius: Double

  public init(celsius: Double) { self.celsius = celsius }

  public init(_jsonValue value: JSONValue) throws {
    guard let celsius = value as? Double ?? (value as? Int).map(Double.init) else {
      throw JSONDecodingError.couldNotConvert(value: value, to: Self.self)
    }
    self.init(celsius: celsius)
  }

  public var _jsonValue: JSONValue { celsius }
}

/// A scalar of the app that can be read, and not written.
nonisolated public struct Colors: JSONDecodable, Hashable, Sendable {
  public var names: [String]

  public init(_ names: [String]) { self.names = names }

  public init(_jsonValue value: JSONValue) throws {
    guard let names = value as? [String] else {
      throw JSONDecodingError.couldNotConvert(value: value, to: Self.self)
    }
    self.init(names)
  }
}
