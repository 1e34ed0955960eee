public import ApolloAPI

/// An object of the schema, field by field, of which tests make selection sets:
///
///     let hero = Mock<Droid>(name: "R2-D2", friends: [Mock<Human>(name: "Luke")])
///     hero.primaryFunction = "Astromech"
///     let data = try HeroQuery.Data.from(Mock<Query>(hero: hero))
///
/// Nullable fields that are not set are null. Other fields that are not set have the default of their type: `""`, `0`,
/// `false`, an empty list, the first case of an enum, or an object whose fields are not set. In objects of one type that
/// contain each other, the third is null, because they would never end: set it if an operation selects it.
///
/// A mock may contain itself, and may be in several places: `luke.friends = [han]` and `han.friends = [luke]`. A model then
/// has as much of them as its operation selects.
@dynamicMemberLookup
public final class Mock<O: MockObject>: AnyMock, Hashable {
  private var values: [String: any __JSONWritable] = [:]
  /// The types of the objects around this one, if it and they are there because a field was not set.
  fileprivate var typesAround: [String] = []
  private var isBeingWritten = false

  /// Makes an object whose fields are not set.
  public init() {}

  /// The name of the object's type in the schema.
  public var __typename: String { O.typename }

  /// The value of a field; nil if it is not set.
  public subscript<Value: __JSONWritable & SendableMetatype>(dynamicMember path: KeyPath<O.MockFields, MockField<Value>>)
    -> Value?
  {
    get { values[name(path)] as? Value }
    set { values[name(path)] = newValue }
  }

  /// Puts an error in the place of a field's value, as a server reports it: the field is null, and what the operation says
  /// of its errors happens, such as `@catch`.
  ///
  /// - Parameters:
  ///   - error: The error. It gets the path of the field, if it has none.
  ///   - path: The field.
  public func setError<Value: __JSONWritable & SendableMetatype>(
    _ error: GraphQLError, for path: KeyPath<O.MockFields, MockField<Value>>
  ) {
    values[name(path)] = MockError(error: error)
  }

  private func name<Value: __JSONWritable & SendableMetatype>(_ path: KeyPath<O.MockFields, MockField<Value>>) -> String
  {
    O.mockFields[keyPath: path].key.name
  }

  /// Writes the object as JSON in a response. Each field is there under all names that operations give it.
  public func __write(to writer: inout __JSONWriter) {
    let nesting = MockNesting.current
    // (A model that asks for more of it fails, and then more is written.)
    if nesting.cuts(isInsideItself: isBeingWritten) { return writer.write(true) }
    let outer = isBeingWritten
    isBeingWritten = true
    defer { isBeingWritten = outer }
    MockNesting.$current.withValue(nesting.next) {
      writeMembers(to: &writer)
    }
  }

  private func writeMembers(to writer: inout __JSONWriter) {
    writer.writeRaw("{\"__typename\":".utf8)
    writer.write(O.typename)
    let fields = O.mockFields.all
    var fieldCounts: [String: Int] = [:]
    for field in fields { for key in field.responseKeys { fieldCounts[key, default: 0] += 1 } }
    // The name of several fields does not tell which one an operation means. So the field is named as well, behind all
    // other members, where the reader looks for it.
    for isContested in [false, true] {
      for field in fields {
        let keys = field.responseKeys.filter { (fieldCounts[$0, default: 0] > 1) == isContested }
        if keys.isEmpty { continue }
        let value = values[field.name] ?? defaultValue(of: field)
        for key in keys {
          writer.writeRaw(",".utf8)
          writer.write(isContested ? ":\(field.name):\(key)" : key)
          writer.writeRaw(":".utf8)
          if let value { value.__write(to: &writer) } else { writer.writeNull() }
        }
      }
    }
    writer.writeRaw("}".utf8)
  }

  /// The value of a field that is not set. Objects that contain one of their own type would never end: the third one of a
  /// type is null.
  private func defaultValue(of field: AnyMockField) -> (any __JSONWritable)? {
    let value = field.defaultValue()
    guard let mock = value as? any UnsetMock else { return value }
    let types = typesAround + [O.typename]
    guard types.filter({ $0 == mock.__typename }).count < 3 else { return nil }
    mock.surround(by: types)
    return mock
  }

  private var json: [UInt8] {
    var writer = __JSONWriter()
    __write(to: &writer)
    return writer.bytes
  }

  /// Compares the JSON of two objects.
  public static func == (left: Mock, right: Mock) -> Bool { left.json == right.json }
  /// Feeds the JSON of the object into a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(json) }
}

/// A mock that is there because a field was not set.
private protocol UnsetMock: AnyMock {
  func surround(by types: [String])
}

extension Mock: UnsetMock {
  fileprivate func surround(by types: [String]) { typesAround = types }
}

/// A mock of an object of any type.
public protocol AnyMock: __JSONWritable {
  /// The name of the object's type in the schema.
  var __typename: String { get }
}

/// An error in the place of a field's value.
private struct MockError: __JSONWritable {
  let error: GraphQLError

  func __write(to writer: inout __JSONWriter) { writer.write(error) }
}

/// The value of a field of an interface or a union: a mock of one of its types.
public struct InterfaceMock: __JSONWritable {
  let mock: any AnyMock

  /// Writes the object as JSON in a response.
  public func __write(to writer: inout __JSONWriter) { mock.__write(to: &writer) }
}

extension Mock {
  /// The value of a field whose type is an interface or a union; nil if it is not set.
  public subscript(dynamicMember path: KeyPath<O.MockFields, MockField<InterfaceMock>>) -> (any AnyMock)? {
    get { (values[name(path)] as? InterfaceMock)?.mock }
    set { values[name(path)] = newValue.map { InterfaceMock(mock: $0) } }
  }

  /// The value of a field whose type is a list of an interface or a union; nil if it is not set.
  public subscript(dynamicMember path: KeyPath<O.MockFields, MockField<[InterfaceMock]>>) -> [any AnyMock]? {
    get { (values[name(path)] as? [InterfaceMock])?.map(\.mock) }
    set { values[name(path)] = newValue?.map { InterfaceMock(mock: $0) } }
  }

  /// The value of a field whose type is a list of an interface or a union, with nulls in it; nil if it is not set.
  public subscript(dynamicMember path: KeyPath<O.MockFields, MockField<[InterfaceMock?]>>) -> [(any AnyMock)?]? {
    get { (values[name(path)] as? [InterfaceMock?])?.map { $0?.mock } }
    set { values[name(path)] = newValue?.map { $0.map { InterfaceMock(mock: $0) } } }
  }
}

extension SelectionSet {
  /// Makes the selection set of a mock of its object, as if a server had sent it.
  ///
  /// - Parameters:
  ///   - mock: The object.
  ///   - variables: The variables of the operation, which decide about `@include` and `@skip`: `query.variables`. The
  ///     default is none.
  /// - Returns: The selection set.
  /// - Throws: `ResponseDecodingError` with the path of a field that the mock does not fit, `JSONEncodingError` for a
  ///   value that cannot be written, such as an infinite number, or the `GraphQLError` of a field that nothing catches.
  public static func from<O: MockObject>(_ mock: Mock<O>, withVariables variables: Variables = .none) throws -> Self {
    let model = try MockNesting.deepening {
      try ResponseReader.model(Self.self, variables: variables) { mock.__write(to: &$0) }
    }
    guard let data = model else { throw JSONDecodingError.nullValue }
    return data
  }
}
