import Apollo
import ApolloMocks
import ApolloUI
import Foundation
import Observation
import Testing

// Operations as the generator writes them.

enum CharacterSchema: SchemaMetadata {
  static let configuration: any SchemaConfiguration.Type = CharacterConfiguration.self
  static func objectType(forTypename typename: String) -> Object? { nil }
}

enum CharacterConfiguration: SchemaConfiguration {
  static func cacheKeyInfo(for type: Object, object: ObjectData) -> CacheKeyInfo? { nil }
}

struct Character: SelectionSet, Hashable {
  var __typename: String
  var id: String
  var name: String?

  static let __fields = __FieldTable(version: 3, "__typename id!# name")
  static var schema: (any SchemaMetadata.Type)? { CharacterSchema.self }

  init(id: String, name: String?) {
    __typename = "Droid"
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

struct HeroQuery: GraphQLQuery {
  static let operationName = "Hero"
  static let operationDocument = OperationDocument(
    "query Hero($episode: String) { hero(episode: $episode) { __typename id name } }")

  var episode: GraphQLNullable<String> = .none

  func __writeVariables(to writer: inout __JSONWriter) { writer.write("episode", episode) }

  struct Data: SelectionSet, Hashable {
    var hero: Character?
    static let __fields = __FieldTable(version: 1, "hero(episode:$episode)")
    init(hero: Character?) { self.hero = hero }
    init(__reading object: inout __ObjectReader) throws(__ReadError) { hero = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, hero) }
  }
}

struct RenameMutation: GraphQLMutation {
  static let operationName = "Rename"
  static let operationDocument = OperationDocument("mutation Rename { rename { __typename id name } }")

  struct Data: SelectionSet, Hashable {
    var rename: Character
    static let __fields = __FieldTable(version: 1, "rename")
    init(rename: Character) { self.rename = rename }
    init(__reading object: inout __ObjectReader) throws(__ReadError) { rename = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, rename) }
  }
}

struct RenamedSubscription: GraphQLSubscription {
  static let operationName = "Renamed"
  static let operationDocument = OperationDocument("subscription Renamed { renamed { __typename id name } }")

  var room = "1"

  func __writeVariables(to writer: inout __JSONWriter) { writer.write("room", room) }

  struct Data: SelectionSet, Hashable {
    var renamed: Character
    static let __fields = __FieldTable(version: 1, "renamed")
    init(renamed: Character) { self.renamed = renamed }
    init(__reading object: inout __ObjectReader) throws(__ReadError) { renamed = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, renamed) }
  }
}

/// A page of a list: the characters that it has, and the number of the next page.
struct ListQuery: GraphQLQuery {
  static let operationName = "List"
  static let operationDocument = OperationDocument(
    "query List($page: Int) { list(page: $page) { __typename id name } next(page: $page) }")

  var page: Int = 0

  func __writeVariables(to writer: inout __JSONWriter) { writer.write("page", page) }

  struct Data: SelectionSet, Hashable {
    var list: [Character]
    var next: Int?
    static let __fields = __FieldTable(version: 1, "list(page:$page) next(page:$page)")
    init(list: [Character], next: Int?) { (self.list, self.next) = (list, next) }
    init(__reading object: inout __ObjectReader) throws(__ReadError) {
      list = try object.read(0)
      next = try object.read(1)
    }
    func __writeFields(to writer: inout __JSONWriter) {
      writer.write(0, list)
      writer.write(1, next)
    }
  }
}

/// What a server answers.
func hero(_ name: String?, id: String = "1", field: String = "hero") -> MockResponse {
  .data([field: ["__typename": "Droid", "id": .string(id), "name": name.map { .string($0) } ?? .null]])
}

/// A client whose server answers when a test says so.
@MainActor
struct Screen {
  let transport = MockNetworkTransport()
  let client: ApolloClient

  init(
    clock: (any ClientClock)? = nil, monitor: (any NetworkMonitor)? = nil,
    defaults: RequestConfiguration = RequestConfiguration(), authenticator: (any Authenticator)? = nil
  ) {
    var configuration = ApolloClient.Configuration(url: MockNetworkTransport.url)
    configuration.clock = clock
    configuration.networkMonitor = monitor
    configuration.defaultRequestConfiguration = defaults
    configuration.authenticator = authenticator
    configuration.http.session = transport.session
    client = ApolloClient(configuration: configuration)
    transport.expect(HeroQuery.self)
    transport.expect(RenameMutation.self)
    transport.expect(ListQuery.self)
    transport.expect(RenamedSubscription.self)
  }

  func state(
    _ query: HeroQuery = HeroQuery(), _ policy: CachePolicy = .default, _ configuration: RequestConfiguration? = nil,
    isSkipped: Bool = false
  ) -> QueryState<HeroQuery> {
    QueryState(
      query, client: client, cachePolicy: policy, requestConfiguration: configuration, isSkipped: isSkipped)
  }

  /// Puts a hero into the cache.
  func write(_ name: String?, id: String = "1", _ query: HeroQuery = HeroQuery()) async throws {
    let character = Character(id: id, name: name)
    try await client.store.withinReadWriteTransaction {
      try await $0.write(data: HeroQuery.Data(hero: character), for: query)
    }
  }

  /// Answers the next request.
  func answer(_ response: MockResponse) async throws {
    let request = try await transport.next()
    while !request.resolve(response), !Task.isCancelled { await Task.yield() }
  }

  var requestCount: Int { transport.requests.count }
}

/// Waits until something holds that happens on the main actor, or the test is ended by its limit of time.
@MainActor
func until(_ holds: () -> Bool) async {
  while !holds(), !Task.isCancelled { await Task.yield() }
}

/// Lets everything happen that is on its way on the main actor.
@MainActor
func settle(_ client: ApolloClient) async throws {
  try await client.store.flush()
  for _ in 0..<200 { await Task.yield() }
}

/// Counts how often a screen would be drawn anew.
@MainActor
final class Redraws {
  private(set) var count = 0
  private let body: @MainActor () -> Void

  init(_ body: @escaping @MainActor () -> Void) {
    self.body = body
    draw()
  }

  private func draw() {
    withObservationTracking(body) { [weak self] in
      Task { @MainActor in
        self?.count += 1
        self?.draw()
      }
    }
  }
}
