/// A GraphQL enum type, as a Swift enum whose raw values are the names in the schema. Conforming types are generated.
public protocol EnumType: RawRepresentable<String>, CaseIterable, Hashable, Sendable, __InputValue, JSONEncodable {}

extension EnumType {
  /// Writes the name of the case as a string.
  public func __write(to writer: inout __JSONWriter) { writer.write(rawValue) }
}

/// A value of a GraphQL enum. If the server sends a value that was added after the code was generated, it is
/// ``unknown(_:)``.
@frozen public enum GraphQLEnum<T: EnumType>: Hashable, Sendable {
  /// A case that the generated code knows.
  case `case`(T)
  /// The name of a value that the generated code does not know.
  case unknown(String)

  /// Makes a value of a known case.
  @inlinable public init(_ caseValue: T) { self = .case(caseValue) }

  /// Makes a value of a name. A name that the generated code does not know is kept.
  @inlinable public init(_ rawValue: String) { self.init(rawValue: rawValue) }

  /// The known case; nil for an unknown value.
  @inlinable public var value: T? {
    if case .case(let value) = self { return value }
    return nil
  }

  /// Whether the value is a certain known case.
  @inlinable public static func == (a: Self, b: T) -> Bool { a.value == b }
  /// Whether the value is not a certain known case.
  @inlinable public static func != (a: Self, b: T) -> Bool { a.value != b }

  /// Whether the value is a certain known case: lets `case .empire:` match in a `switch` over a `GraphQLEnum`.
  @inlinable public static func ~= (pattern: T, value: Self) -> Bool { value.value == pattern }
}

extension GraphQLEnum: RawRepresentable, CaseIterable {
  /// Makes a value of a name. A name that the generated code does not know is kept.
  @inlinable public init(rawValue: String) {
    self = T(rawValue: rawValue).map { .case($0) } ?? .unknown(rawValue)
  }

  /// The name of the value in the schema.
  @inlinable public var rawValue: String {
    switch self {
    case .case(let value): value.rawValue
    case .unknown(let name): name
    }
  }

  /// The cases that the generated code knows, in the order of the schema.
  @inlinable public static var allCases: [GraphQLEnum<T>] { T.allCases.map { .case($0) } }
}

extension GraphQLEnum: CustomStringConvertible {
  /// The name of the value in the schema.
  public var description: String { rawValue }
}

extension GraphQLEnum: __OutputValue, __InputValue {
  /// Reads a value at the reader's cursor, from a response or from the cache.
  @inlinable public static func __read(from reader: inout __ObjectReader) throws(__ReadError) -> Self {
    Self(rawValue: try reader.enumName())
  }

  /// Writes the name as a string.
  @inlinable public func __write(to writer: inout __JSONWriter) { writer.write(rawValue) }
}

/// Whether there is a value, and it is a certain known case.
@inlinable public func == <T: EnumType>(a: GraphQLEnum<T>?, b: T) -> Bool { a?.value == b }
/// Whether there is no value, or it is not a certain known case.
@inlinable public func != <T: EnumType>(a: GraphQLEnum<T>?, b: T) -> Bool { a?.value != b }
