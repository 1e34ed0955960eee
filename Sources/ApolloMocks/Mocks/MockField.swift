public import ApolloAPI

/// An object type of the schema of which mocks can be made. Conforming types are generated.
public protocol MockObject: SendableMetatype {
  associatedtype MockFields: MockFieldList

  /// The name of the type in the schema.
  static var typename: String { get }
  /// The fields that a mock of this type may have.
  static var mockFields: MockFields { get }
}

/// The fields that a mock may have: those that some operation selects. Conforming types are generated.
public protocol MockFieldList: Sendable {
  /// All fields.
  var all: [AnyMockField] { get }
}

/// A field of a mock, with the type of its value: whatever a model has there, or a mock in place of an object.
public struct MockField<Value: __JSONWritable & SendableMetatype>: Sendable {
  let key: AnyMockField

  /// Makes a field. Generated code calls it.
  ///
  /// - Parameters:
  ///   - name: The name of the field in the schema.
  ///   - responseKeys: The names that operations give the field in responses. nil, the default: the name in the schema.
  ///   - defaultValue: The value if none is set. nil, the default: null.
  public init(
    _ name: String, responseKeys: [String]? = nil,
    default defaultValue: @escaping @autoclosure @Sendable () -> Value? = nil
  ) {
    key = AnyMockField(name: name, responseKeys: responseKeys ?? [name]) { defaultValue() }
  }

  /// Makes a field of a scalar whose type the app may change. Generated code calls it.
  ///
  /// - Parameters:
  ///   - name: The name of the field in the schema.
  ///   - responseKeys: The names that operations give the field in responses. nil, the default: the name in the schema.
  ///   - defaultText: The value if none is set, as a text in JSON. Where the type cannot be made of it, it is null.
  public init(_ name: String, responseKeys: [String]? = nil, defaultText: String) {
    key = AnyMockField(name: name, responseKeys: responseKeys ?? [name]) {
      guard let type = Value.self as? any JSONDecodable.Type else { return nil }
      return try? type.init(_jsonValue: defaultText)
    }
  }

  /// The field without the type of its value.
  public var erased: AnyMockField { key }
}

/// A field of a mock, without the type of its value.
public struct AnyMockField: Sendable {
  let name: String
  let responseKeys: [String]
  let defaultValue: @Sendable () -> (any __JSONWritable)?
}
