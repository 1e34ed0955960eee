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

/// A field of a mock, with the type of its value.
public struct MockField<Value: MockValue>: Sendable {
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
    key = AnyMockField(name: name, responseKeys: responseKeys ?? [name]) { defaultValue()?.mockJSON }
  }

  /// The field without the type of its value.
  public var erased: AnyMockField { key }
}

/// A field of a mock, without the type of its value.
public struct AnyMockField: Sendable {
  let name: String
  let responseKeys: [String]
  let defaultJSON: @Sendable () -> MockJSON?
}

/// A type of values for fields of mocks: a scalar, an enum, a mock, or a list of such values.
public protocol MockValue: SendableMetatype {
  /// The value as JSON in a response.
  var mockJSON: MockJSON { get }
}

/// The JSON of a value in a response.
public struct MockJSON: __JSONWritable, Sendable {
  let bytes: [UInt8]

  init(bytes: [UInt8]) { self.bytes = bytes }

  /// Makes the JSON of a value.
  public init(_ value: some __JSONWritable) {
    var writer = __JSONWriter()
    value.__write(to: &writer)
    bytes = writer.bytes
  }

  /// Writes the value as JSON.
  public func __write(to writer: inout __JSONWriter) { writer.writeRaw(bytes) }
}

extension MockValue where Self: __JSONWritable {
  /// The value as JSON in a response.
  public var mockJSON: MockJSON { MockJSON(self) }
}

extension String: MockValue {}
extension Int: MockValue {}
extension Double: MockValue {}
extension Bool: MockValue {}
extension GraphQLEnum: MockValue {}

extension Optional: MockValue where Wrapped: MockValue {
  /// The value as JSON in a response, or null.
  public var mockJSON: MockJSON { self?.mockJSON ?? MockJSON(String?.none) }
}

extension Array: MockValue where Element: MockValue {
  /// The list as JSON in a response.
  public var mockJSON: MockJSON { MockJSON(map(\.mockJSON)) }
}
