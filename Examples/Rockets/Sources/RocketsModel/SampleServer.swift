public import Apollo
import ApolloMocks
import Foundation

/// A server inside of the process, made of the schema: for previews, for tests, and for this example, which has no other one.
public nonisolated final class SampleServer: Sendable {
  private static let launches: [GraphQLValue.Object] = [
    launch("9", "Artemis I", "SLS", 2022, "Around the moon and back, without a crew."),
    launch("8", "James Webb Space Telescope", "Ariane 5", 2021, "To a place where the sun is always behind it."),
    launch("7", "Crew Demo-2", "Falcon 9", 2020, "The first crew on a private rocket."),
    launch("6", "New Horizons", "Atlas V", 2006, "Past Pluto, nine years later."),
    launch("5", "Cassini", "Titan IV", 1997, "To the rings of Saturn."),
    launch("4", "Hubble", "Space Shuttle", 1990, nil),
    launch("3", "Voyager 2", "Titan IIIE", 1977, "It is still sending."),
    launch("2", "Apollo 11", "Saturn V", 1969, "One small step."),
    launch("1", "Sputnik 1", "R-7", 1957, "The first of all."),
  ]

  private static func launch(
    _ id: String, _ mission: String, _ rocket: String, _ year: Int, _ details: String?
  ) -> GraphQLValue.Object {
    [
      "id": .string(id), "mission": .string(mission), "rocket": .string(rocket), "year": .int(year),
      "details": details.map { .string($0) } ?? .null,
    ]
  }

  /// Answers the requests of a client, and tells what was sent.
  public let transport: MockNetworkTransport
  private let monitor = ManualNetworkMonitor()

  /// Makes a server. (The schema is a constant of this module, which the main actor owns with the defaults of a new project.)
  ///
  /// - Parameter latency: How long an answer takes. The default is 0.
  @MainActor public init(latency: Duration = .zero) throws {
    let schema = try MockSchema(String(decoding: PackageResources.schema_graphqls, as: UTF8.self))
      .latency(latency)
      .mocking("Launch") { context in
        var launch = Self.launches.first { $0["id"]?.string == context.key } ?? [:]
        launch["likes"] = .int(context.number(in: 1...99))
        launch["isLiked"] = false
        return launch
      }
      .resolving("Query.launches") { context in Self.page(context.arguments) }
      .resolving("Mutation.setLiked") { context in
        let id = context.arguments["launch"] ?? .null, isLiked = context.arguments["isLiked"] == true
        try context.store.set("Launch", id.string ?? "", ["isLiked": .bool(isLiked)])
        return ["id": id]
      }
    transport = MockNetworkTransport(
      .respond { [monitor] _ in
        monitor.isOnline == true ? .schema(schema) : .failure(URLError(.notConnectedToInternet))
      })
  }

  private static func page(_ arguments: GraphQLValue.Object) -> GraphQLValue {
    let search = arguments["search"]?.string ?? "", after = arguments["after"]?.string
    let found = launches.filter { launch in
      search.isEmpty
        || ["mission", "rocket"].contains { launch[$0]?.string?.localizedCaseInsensitiveContains(search) == true }
    }
    let start = after.flatMap { cursor in found.firstIndex { $0["id"]?.string == cursor } }.map { $0 + 1 } ?? 0
    let page = found[start...].prefix(arguments["first"]?.int ?? 20)
    return [
      "edges": .list(page.map { ["cursor": $0["id"] ?? .null, "node": ["id": $0["id"] ?? .null]] }),
      "pageInfo": [
        "hasNextPage": .bool(page.endIndex < found.endIndex), "endCursor": page.last?["id"] ?? .null,
      ],
    ]
  }

  /// Whether the device has a network. Without one, requests fail.
  public var isReachable: Bool {
    get { monitor.isOnline == true }
    set { monitor.isOnline = newValue }
  }

  /// Makes a client of this server, with an outbox.
  ///
  /// - Parameter outbox: The settings of the outbox. The default keeps mutations in memory: they end with the process.
  /// - Returns: The client.
  public func client(outbox: Outbox.Configuration = Outbox.Configuration()) -> ApolloClient {
    var configuration = ApolloClient.Configuration(url: MockNetworkTransport.url)
    configuration.http.session = transport.session
    configuration.networkMonitor = monitor
    configuration.outbox = outbox
    return ApolloClient(configuration: configuration)
  }
}
