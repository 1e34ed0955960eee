public import ApolloAPI

/// An object of the schema, field by field, of which tests make selection sets:
///
///     let hero = Mock<Droid>(friends: [Mock<Human>(name: "Luke")], name: "R2-D2")
///     hero.primaryFunction = "Astromech"
///     let data = try HeroQuery.Data.from(Mock<Query>(hero: hero))
///
/// Nullable fields that are not set are null. Other fields that are not set have the default of their type: `""`, `0`,
/// `false`, an empty list, the first case of an enum, or an object whose fields are not set. A scalar to which the
/// configuration gives no type has what its type makes of `""`. An interface, a union and a scalar with a type of its
/// own, such as `Date`, have no default: set them if an operation selects them.
///
/// A field that operations select under several names has one value under all of them, or a value for each alias:
/// `Mock<Query>(past: [concert], upcoming: [])` for `past: events(…)` and `upcoming: events(…)`. A field for an alias that is
/// not set has what the field has, `events`.
///
/// A mock may contain itself, and may be in several places: `luke.friends = [han]` and `han.friends = [luke]`. A model has
/// as much of them, and of objects that are not set, as its operation selects.
@dynamicMemberLookup
public final class Mock<O: MockObject>: AnyMock, Hashable {
  /// The values of the fields that are set, by `AnyMockField.valueKey`.
  var values: [String: any __JSONWritable] = [:]

  /// Makes an object whose fields are not set.
  public init() {}

  /// The name of the object's type in the schema.
  public var __typename: String { O.typename }

  /// The value of a field; nil if it is not set.
  public subscript<Value: __JSONWritable & SendableMetatype>(dynamicMember path: KeyPath<O.MockFields, MockField<Value>>)
    -> Value?
  {
    get { values[valueKey(path)] as? Value }
    set { values[valueKey(path)] = newValue }
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
    values[valueKey(path)] = MockError(error: error)
  }

  private func valueKey<Value: __JSONWritable & SendableMetatype>(
    _ path: KeyPath<O.MockFields, MockField<Value>>
  ) -> String {
    O.mockFields[keyPath: path].key.valueKey
  }

  /// Writes the object as JSON in a response. Each field is there under all names that operations give it, with the value
  /// of the alias where one is set. Of the objects in it those are written that a model has asked for.
  public func __write(to writer: inout __JSONWriter) {
    // (A model that asks for this object fails, and then it is written.)
    guard let selection = MockSelection.current else { return writer.write(true) }
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
        let shared = setValue(at: field.name) ?? field.defaultValue()
        for key in keys {
          let own = key == field.name ? nil : setValue(at: field.aliasKey(key))
          let value = own ?? shared, holder = value as? any MockHolder
          writer.writeRaw(",".utf8)
          writer.write(isContested ? ":\(field.name):\(key)" : key)
          writer.writeRaw(":".utf8)
          if let holder {
            MockSelection.$current.withValue(selection[key]) { holder.__write(to: &writer) }
          } else if let value {
            value.__write(to: &writer)
          } else {
            writer.writeNull()
          }
        }
      }
    }
    writer.writeRaw("}".utf8)
  }

  /// What is set, without an error that is hidden.
  private func setValue(at valueKey: String) -> (any __JSONWritable)? {
    guard let value = values[valueKey], !(value is MockError && MockSelection.hidesErrors) else { return nil }
    return value
  }
}

/// A mock of an object of any type.
public protocol AnyMock: __JSONWritable {
  /// The name of the object's type in the schema.
  var __typename: String { get }
}

/// An error in the place of a field's value.
struct MockError: __JSONWritable {
  let error: GraphQLError

  func __write(to writer: inout __JSONWriter) { writer.write(error) }
}

/// The value of a field of an interface or a union: a mock of one of its types.
///
/// Where the type is one of these, or a list of it, a mock itself is passed. In lists of lists it stands in an
/// `InterfaceMock`: `Mock<Query>(grid: [[InterfaceMock(luke)]])`.
public struct InterfaceMock: __JSONWritable {
  let mock: any AnyMock

  /// Makes a value of a mock.
  ///
  /// - Parameter mock: A mock of one of the types.
  public init(_ mock: any AnyMock) { self.mock = mock }

  /// Writes the object as JSON in a response.
  public func __write(to writer: inout __JSONWriter) { mock.__write(to: &writer) }
}

extension Mock {
  /// The value of a field whose type is an interface or a union; nil if it is not set.
  public subscript(dynamicMember path: KeyPath<O.MockFields, MockField<InterfaceMock>>) -> (any AnyMock)? {
    get { (values[valueKey(path)] as? InterfaceMock)?.mock }
    set { values[valueKey(path)] = newValue.map { InterfaceMock($0) } }
  }

  /// The value of a field whose type is a list of an interface or a union; nil if it is not set.
  public subscript(dynamicMember path: KeyPath<O.MockFields, MockField<[InterfaceMock]>>) -> [any AnyMock]? {
    get { (values[valueKey(path)] as? [InterfaceMock])?.map(\.mock) }
    set { values[valueKey(path)] = newValue?.map { InterfaceMock($0) } }
  }

  /// The value of a field whose type is a list of an interface or a union, with nulls in it; nil if it is not set.
  public subscript(dynamicMember path: KeyPath<O.MockFields, MockField<[InterfaceMock?]>>) -> [(any AnyMock)?]? {
    get { (values[valueKey(path)] as? [InterfaceMock?])?.map { $0?.mock } }
    set { values[valueKey(path)] = newValue?.map { $0.map { InterfaceMock($0) } } }
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
    let model = MockSelection.exploring(Self.self) {
      try ResponseReader.model(Self.self, variables: variables) { mock.__write(to: &$0) }
    }
    guard let data = try model.result.get() else { throw JSONDecodingError.nullValue }
    return data
  }
}

extension Mock {
  /// A response with the object as its data.
  ///
  /// - Parameters:
  ///   - type: The type of the data, which selects what is written.
  ///   - variables: The variables of the operation.
  /// - Returns: The response. That it does not fit the type is for its reader to find.
  /// - Throws: `JSONEncodingError` for a value that is selected and has no form in JSON.
  func response<Data: SelectionSet>(for type: Data.Type, variables: Variables) throws -> [UInt8] {
    let (selection, result) = MockSelection.exploring(type) {
      try ResponseReader.model(type, variables: variables) { self.__write(to: &$0) }
    }
    let (json, failure) = MockSelection.$current.withValue(selection) { () -> ([UInt8], JSONEncodingError?) in
      var writer = __JSONWriter()
      writer.writeResponse { self.__write(to: &$0) }
      return (writer.bytes, writer.failure)
    }
    if case .failure(let error as JSONEncodingError) = result { throw error }
    // The value may be in a field that only other operations select.
    if failure != nil, case .success(let data?) = result {
      var writer = __JSONWriter()
      data.__write(to: &writer)
      if let failure = writer.failure { throw failure }
    }
    return json
  }
}
