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
  /// All fields of the schema. What a mock has for the aliases of a field belongs to that field, and is not in the list.
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

  /// Makes a field for an alias that operations give to a field of the schema. Generated code calls it.
  ///
  /// What is set there stands under this alias alone, and comes before what the field of the schema has, which stands under
  /// all of its names. An alias has no field of a mock if it is the name of a field of the type, or if operations give it to
  /// several fields of the type: there the fields with the names of the schema say what is in the response.
  ///
  /// - Parameters:
  ///   - name: The name of the field in the schema. The list of all fields has that field, and in its response keys the alias.
  ///   - alias: The name in responses.
  public init(_ name: String, alias: String) {
    key = AnyMockField(name: name, alias: alias, responseKeys: [alias]) { nil }
  }

  /// The field without the type of its value.
  public var erased: AnyMockField { key }
}

/// A field of a mock, without the type of its value.
public struct AnyMockField: Sendable {
  let name: String
  /// The name in responses, if the field of the mock is for one alias only.
  var alias: String?
  let responseKeys: [String]
  let defaultValue: @Sendable () -> (any __JSONWritable)?

  /// Where a mock keeps the value.
  var valueKey: String { alias.map { aliasKey($0) } ?? name }

  /// Where a mock keeps a value that stands under an alias only.
  ///
  /// - Parameter alias: The alias.
  /// - Returns: A text that is not a name in GraphQL.
  func aliasKey(_ alias: String) -> String { "\(name):\(alias)" }

  /// The response key of a value that a mock keeps.
  ///
  /// - Parameter valueKey: Where the mock keeps it.
  /// - Returns: The alias, or the name of the field.
  static func responseKey(at valueKey: String) -> String {
    guard let colon = valueKey.firstIndex(of: ":") else { return valueKey }
    return String(valueKey[valueKey.index(after: colon)...])
  }
}
