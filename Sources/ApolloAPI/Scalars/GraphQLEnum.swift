/// A GraphQL enum type: a Swift enum whose raw values are the names of the schema.
public protocol EnumType: RawRepresentable<String>, CaseIterable, Hashable, Sendable, InputValue {}

extension EnumType {
  public func write(to writer: inout JSONWriter) { writer.write(rawValue) }
}

/// A value of a GraphQL enum. A value that the server added after the code was generated is kept as ``unknown(_:)``.
@frozen public enum GraphQLEnum<T: EnumType>: Hashable, Sendable {
  case `case`(T)
  case unknown(String)

  @inlinable public init(_ caseValue: T) { self = .case(caseValue) }

  @inlinable public init(_ rawValue: String) { self.init(rawValue: rawValue) }

  /// The known case; nil for an unknown value.
  @inlinable public var value: T? {
    if case .case(let value) = self { return value }
    return nil
  }

  @inlinable public static func == (a: Self, b: T) -> Bool { a.value == b }
  @inlinable public static func != (a: Self, b: T) -> Bool { a.value != b }

  /// Lets `case .empire:` match in a `switch` over a `GraphQLEnum`.
  @inlinable public static func ~= (pattern: T, value: Self) -> Bool { value.value == pattern }
}

extension GraphQLEnum: RawRepresentable, CaseIterable {
  @inlinable public init(rawValue: String) {
    self = T(rawValue: rawValue).map { .case($0) } ?? .unknown(rawValue)
  }

  @inlinable public var rawValue: String {
    switch self {
    case .case(let value): value.rawValue
    case .unknown(let name): name
    }
  }

  /// The cases of the schema the code was generated from.
  @inlinable public static var allCases: [GraphQLEnum<T>] { T.allCases.map { .case($0) } }
}

extension GraphQLEnum: OutputValue, InputValue {
  @inlinable public static func read(from reader: inout ObjectReader) throws(ReadError) -> Self {
    Self(rawValue: try reader.stringValue())
  }

  @inlinable public func write(to writer: inout JSONWriter) { writer.write(rawValue) }
}

@inlinable public func == <T: EnumType>(a: GraphQLEnum<T>?, b: T) -> Bool { a?.value == b }
@inlinable public func != <T: EnumType>(a: GraphQLEnum<T>?, b: T) -> Bool { a?.value != b }
