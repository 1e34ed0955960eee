public import ApolloAPI

/// An object of which selection sets are made in tests, field by field:
///
///     let hero = Mock<Droid>(name: "R2-D2", friends: [Mock<Human>(name: "Luke")])
///     hero.primaryFunction = "Astromech"
///     let data = try HeroQuery.Data.from(Mock<Query>(hero: hero))
///
/// Fields that are not set are null; those that cannot be null have the default of their type: `""`, `0`, `false`, an
/// empty list, the first case of an enum, or an object without any field set.
@dynamicMemberLookup
public final class Mock<O: MockObject>: AnyMock, Hashable {
  private var objects: [String: any MockValue] = [:]

  public init() {}

  public var __typename: String { O.typename }

  public subscript<Value: MockValue>(dynamicMember path: KeyPath<O.MockFields, MockField<Value>>) -> Value? {
    get { objects[name(path)] as? Value }
    set { objects[name(path)] = newValue }
  }

  private func name<Value>(_ path: KeyPath<O.MockFields, MockField<Value>>) -> String {
    O.mockFields[keyPath: path].key.name
  }

  /// The object in a response. Fields have all names that operations give them.
  public var mockJSON: MockJSON {
    var writer = JSONWriter()
    writer.writeRaw("{\"__typename\":".utf8)
    writer.write(O.typename)
    for field in O.mockFields.all {
      let json = objects[field.name]?.mockJSON ?? field.defaultJSON() ?? MockJSON(String?.none)
      for key in field.responseKeys {
        writer.writeRaw(",".utf8)
        writer.write(key)
        writer.writeRaw(":".utf8)
        json.write(to: &writer)
      }
    }
    writer.writeRaw("}".utf8)
    return MockJSON(bytes: writer.bytes)
  }

  public static func == (left: Mock, right: Mock) -> Bool { left.mockJSON.bytes == right.mockJSON.bytes }
  public func hash(into hasher: inout Hasher) { hasher.combine(mockJSON.bytes) }
}

/// A mock of some object type.
public protocol AnyMock: MockValue {
  var __typename: String { get }
}

/// The value of a field of an interface or a union: a mock of one of its types.
public struct InterfaceMock: MockValue {
  let mock: any AnyMock

  public var mockJSON: MockJSON { mock.mockJSON }
}

extension Mock {
  public subscript(dynamicMember path: KeyPath<O.MockFields, MockField<InterfaceMock>>) -> (any AnyMock)? {
    get { (objects[name(path)] as? InterfaceMock)?.mock }
    set { objects[name(path)] = newValue.map { InterfaceMock(mock: $0) } }
  }

  public subscript(dynamicMember path: KeyPath<O.MockFields, MockField<[InterfaceMock]>>) -> [any AnyMock]? {
    get { (objects[name(path)] as? [InterfaceMock])?.map(\.mock) }
    set { objects[name(path)] = newValue?.map { InterfaceMock(mock: $0) } }
  }

  public subscript(dynamicMember path: KeyPath<O.MockFields, MockField<[InterfaceMock?]>>) -> [(any AnyMock)?]? {
    get { (objects[name(path)] as? [InterfaceMock?])?.map { $0?.mock } }
    set { objects[name(path)] = newValue?.map { $0.map { InterfaceMock(mock: $0) } } }
  }
}

extension SelectionSet {
  /// Makes the selection set of a mock of its object, as if a server had sent it.
  ///
  /// - Parameter variables: Those of the operation, where it has `@include` or `@skip`: `query.variables`.
  /// - Throws: ``ResponseDecodingError`` with the path of a field that the mock does not fit.
  public static func from<O: MockObject>(_ mock: Mock<O>, withVariables variables: Variables = .none) throws -> Self {
    let response = Array("{\"data\":".utf8) + mock.mockJSON.bytes + Array("}".utf8)
    let contents = try ResponseReader.read(Self.self, from: ResponseBytes(response), variables: variables)
    guard let data = contents.data else { throw JSONDecodingError.nullValue }
    return data
  }
}
