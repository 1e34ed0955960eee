import Apollo
import ApolloMocks
import ApolloTestSupport
import Foundation

// Operations over the schema of the tests, as the generator writes them.

enum LibrarySchema: SchemaMetadata {
  static let configuration: any SchemaConfiguration.Type = LibraryConfiguration.self
  static func objectType(forTypename typename: String) -> Object? {
    typename == "User" ? Object(typename: typename, keyFields: ["id"]) : nil
  }
}

enum LibraryConfiguration: SchemaConfiguration {
  static func cacheKeyInfo(for type: Object, object: ObjectData) -> CacheKeyInfo? { nil }
}

struct UserQuery: GraphQLQuery {
  static let operationName = "User"
  static let operationDocument = OperationDocument(
    "query User($id: ID! = \"1\", $detail: Boolean! = false) { user(id: $id) { __typename id name } count @include(if: $detail) }"
  )

  var id: String?
  var detail: Bool?

  init(id: String? = nil, detail: Bool? = nil) {
    self.id = id
    self.detail = detail
  }

  func __writeVariables(to writer: inout __JSONWriter) {
    if let id { writer.write("id", GraphQLNullable.some(id)) }
    if let detail { writer.write("detail", GraphQLNullable.some(detail)) }
  }

  struct Data: SelectionSet {
    var user: User?

    static let __fields = __FieldTable(version: 1, "user")
    static var schema: (any SchemaMetadata.Type)? { LibrarySchema.self }

    init(user: User?) { self.user = user }
    init(__reading object: inout __ObjectReader) throws(__ReadError) { user = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, user) }
  }

  struct User: SelectionSet {
    var __typename: String
    var id: String
    var name: String?

    static let __fields = __FieldTable(version: 1, "__typename id!# name")

    init(id: String, name: String?) {
      __typename = "User"
      self.id = id
      self.name = name
    }

    init(__reading object: inout __ObjectReader) throws(__ReadError) {
      __typename = try object.typename()
      id = try object.read(1)
      name = try object.read(2)
    }

    func __writeFields(to writer: inout __JSONWriter) {
      writer.write(0, __typename)
      writer.write(1, id)
      writer.write(2, name)
    }
  }
}

struct OtherQuery: GraphQLQuery {
  static let operationName = "Other"
  static let operationDocument = OperationDocument("query Other { user(id: \"2\") { __typename id name } }")
  typealias Data = UserQuery.Data
}

struct PersistedQuery: GraphQLQuery {
  static let operationName = "Persisted"
  static let operationDocument = OperationDocument(
    "query Persisted { user(id: \"2\") { __typename id name } }", operationIdentifier: "abc")
  typealias Data = UserQuery.Data
}

struct RenameMutation: GraphQLMutation {
  static let operationName = "Rename"
  static let operationDocument = OperationDocument(
    "mutation Rename { user: renameUser(id: \"1\", name: \"Bea\") { __typename id name } }")
  typealias Data = UserQuery.Data
}

struct ChangedSubscription: GraphQLSubscription {
  static let operationName = "Changed"
  static let operationDocument = OperationDocument("subscription Changed { user: userChanged { __typename id name } }")
  typealias Data = UserQuery.Data
}

struct DeferredQuery: GraphQLQuery {
  static let operationName = "Deferred"
  static let operationDocument = OperationDocument(
    "query Deferred { user(id: \"1\") { __typename id ... @defer(label: \"late\") { name } } }")
  static let hasDeferredFragments = true
  typealias Data = UserQuery.Data
}

func answer(_ name: String, id: String = "1") -> GraphQLValue {
  ["user": ["__typename": "User", "id": .string(id), "name": .string(name)]]
}

/// A client with the transport, and a clock that stands.
func makeClient(_ transport: MockNetworkTransport, _ clock: TestClock = TestClock()) -> ApolloClient {
  var configuration = ApolloClient.Configuration(url: MockNetworkTransport.url)
  configuration.clock = clock
  return ApolloClient(networkTransport: transport, configuration: configuration)
}

func fetches(_ count: Int, _ client: ApolloClient) async throws -> [String?] {
  var names: [String?] = []
  for _ in 0..<count {
    names.append(try await client.fetch(query: UserQuery(), cachePolicy: .fetchIgnoringCacheData).data?.user?.name)
  }
  return names
}

// A mock, as the generator writes it.

enum UserMock: MockObject {
  static let typename = "Query"
  static let mockFields = MockFields()
  struct MockFields: MockFieldList {
    let user = MockField<Mock<PersonMock>>("user")
    var all: [AnyMockField] { [user.erased] }
  }
}

enum PersonMock: MockObject {
  static let typename = "User"
  static let mockFields = MockFields()
  struct MockFields: MockFieldList {
    let id = MockField<String>("id")
    let name = MockField<String>("name")
    var all: [AnyMockField] { [id.erased, name.erased] }
  }
}
