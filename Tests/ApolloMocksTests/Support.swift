import ApolloMocks
import Foundation
import Testing

/// The schema of most tests: keys, values without keys, abstract types, inputs, a connection and subscriptions.
let library = """
  type Query {
    me: User
    user(id: ID!): User
    users(order: String): [User!]!
    book(isbn: String!, edition: Int!): Book
    media: [Media!]!
    anything: Anything
    node(id: ID!): Node
    count(of: String): Int!
    ratio: Float
    isOpen: Boolean!
    today: Day!
    shelf(name: String, first: Int, last: Int, after: String, before: String): BookConnection!
    page(of: String = "news", size: Int = 3): String!
    matrix: [[Int!]!]!
    secret: Secret
  }
  type Mutation {
    renameUser(id: ID!, name: String!): User
    updateUser(input: UserInput!): UpdateUserPayload
    createUser(name: String!): User!
    deleteUser(id: ID!): ID
    removeUser(userId: ID!): User
    deleteBook(isbn: String!, edition: Int!): Boolean
    touch: Boolean!
  }
  type Subscription { userChanged(id: ID): User, tick: Int! }
  type User { id: ID!, name: String!, nick: String, age: Int!, friends: [User!]!, address: Address, mood: Mood!, best: User }
  type Address { street: String!, city: City }
  type City { name: String! }
  type Book @typePolicy(keyFields: "isbn edition") { isbn: String!, edition: Int!, title: String!, writer: User }
  interface Media { id: ID!, title: String! }
  type Film implements Media { id: ID!, title: String!, minutes: Int! }
  type Song implements Media { id: ID!, title: String!, singer: User }
  union Anything = User | Film | Address
  interface Node { id: ID! }
  type Letter implements Node { id: ID!, text: String! }
  type Parcel implements Node { id: ID!, weight: Float! }
  enum Mood { GOOD, BAD, UNKNOWN }
  enum Day { MON, TUE, WED }
  input UserInput { id: ID!, name: String, nick: String, age: Int, mood: Mood, address: String }
  type UpdateUserPayload { user: User, ok: Boolean! }
  type BookConnection { edges: [BookEdge!]!, nodes: [Book!]!, pageInfo: PageInfo!, totalCount: Int! }
  type BookEdge { cursor: String!, node: Book! }
  type PageInfo { hasNextPage: Boolean!, hasPreviousPage: Boolean!, startCursor: String, endCursor: String }
  scalar Secret
  """

extension MockSchema {
  /// The data of a query as JSON, after it was checked that there are no errors.
  func json(
    _ query: String, _ variables: GraphQLValue.Object = [:], sourceLocation: SourceLocation = #_sourceLocation
  ) async -> String {
    let result = await execute(query, variables: variables)
    #expect(result.errors.isEmpty, "\(result.errors)", sourceLocation: sourceLocation)
    return String(decoding: (result.data ?? .null).json, as: UTF8.self)
  }

  /// The data of a query.
  func data(_ query: String, _ variables: GraphQLValue.Object = [:]) async -> GraphQLValue {
    await execute(query, variables: variables).data ?? .null
  }

  /// The messages of the errors of a query.
  func errors(_ query: String, _ variables: GraphQLValue.Object = [:]) async -> String {
    await execute(query, variables: variables).errors.map(\.message).joined(separator: "\n")
  }
}

/// What a body throws, in words; empty if nothing is thrown.
func message(_ body: () throws -> Void) -> String {
  do {
    try body()
    return ""
  } catch {
    return "\(error)"
  }
}

func message(_ body: () async throws -> Void) async -> String {
  do {
    try await body()
    return ""
  } catch {
    return "\(error)"
  }
}

/// A claim, and what shows it.
struct Claim: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let check: @Sendable () async throws -> Void

  init(_ claim: String, _ check: @escaping @Sendable () async throws -> Void) {
    testDescription = claim
    self.check = check
  }
}
