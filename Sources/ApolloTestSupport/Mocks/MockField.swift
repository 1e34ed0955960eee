public import ApolloAPI

/// An object type of the schema that mocks are made of. Conforming types are generated.
public protocol MockObject: SendableMetatype {
  associatedtype MockFields: MockFieldList

  /// The name of the type in the schema.
  static var typename: String { get }
  static var mockFields: MockFields { get }
}

/// The fields that a mock may have: those that some operation selects.
public protocol MockFieldList: Sendable {
  var all: [AnyMockField] { get }
}

/// One field of a mock.
public struct MockField<Value: MockValue>: Sendable {
  let key: AnyMockField

  /// - Parameters:
  ///   - name: The name in the schema.
  ///   - responseKeys: The names it has in responses, where operations give it others.
  ///   - default: The value where none is set. Fields that are null in that case have none.
  public init(
    _ name: String, responseKeys: [String]? = nil,
    default defaultValue: @escaping @autoclosure @Sendable () -> Value? = nil
  ) {
    key = AnyMockField(name: name, responseKeys: responseKeys ?? [name]) { defaultValue()?.mockJSON }
  }

  public var erased: AnyMockField { key }
}

/// A field of any type.
public struct AnyMockField: Sendable {
  let name: String
  let responseKeys: [String]
  let defaultJSON: @Sendable () -> MockJSON?
}

/// What a field of a mock can be: a scalar, an enum, a mock, or a list of such values.
public protocol MockValue: SendableMetatype {
  /// The value in a response.
  var mockJSON: MockJSON { get }
}

/// The text of a value in a response.
public struct MockJSON: JSONWritable, Sendable {
  let bytes: [UInt8]

  init(bytes: [UInt8]) { self.bytes = bytes }

  public init(_ value: some JSONWritable) {
    var writer = JSONWriter()
    value.write(to: &writer)
    bytes = writer.bytes
  }

  public func write(to writer: inout JSONWriter) { writer.writeRaw(bytes) }
}

extension MockValue where Self: JSONWritable {
  public var mockJSON: MockJSON { MockJSON(self) }
}

extension String: MockValue {}
extension Int: MockValue {}
extension Double: MockValue {}
extension Bool: MockValue {}
extension GraphQLEnum: MockValue {}

extension Optional: MockValue where Wrapped: MockValue {
  public var mockJSON: MockJSON { self?.mockJSON ?? MockJSON(String?.none) }
}

extension Array: MockValue where Element: MockValue {
  public var mockJSON: MockJSON { MockJSON(map(\.mockJSON)) }
}
