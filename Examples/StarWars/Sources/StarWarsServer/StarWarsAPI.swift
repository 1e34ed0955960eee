import GraphQLExecution
import GraphQLSchema
import GraphQLSyntax

/// The schema with the functions that answer it.
enum StarWarsAPI {
  static func make(_ galaxy: Galaxy) throws -> ExecutableSchema {
    let source = Source(utf8: PackageResources.schema_graphqls, name: "schema.graphqls")
    let schema = try Schema.build(from: [source]).get()
    return try ExecutableSchema(
      schema, resolvers: queries(galaxy).merging(mutations(galaxy)) { $1 }.merging(objects(galaxy)) { $1 },
      subscriptions: [
        "Subscription.reviewAdded": { context in
          let episode = context.arguments["episode"]?.string
          let reviews = await galaxy.newReviews().filter { episode == nil || $0["episode"]?.string == episode }
          return EventStream(reviews.map { ["reviewAdded": $0] })
        }
      ])
  }

  private static func queries(_ galaxy: Galaxy) -> [String: ExecutableSchema.Resolver] {
    [
      "Query.hero": { await galaxy.hero(of: $0.arguments["episode"]?.string) },
      "Query.character": { await galaxy.character($0.id) },
      "Query.human": { await galaxy.character($0.id).ifType("Human") },
      "Query.droid": { await galaxy.character($0.id).ifType("Droid") },
      "Query.starship": { await galaxy.starship($0.id) },
      "Query.reviews": { await galaxy.reviews(of: $0.arguments["episode"]?.string ?? "") },
      "Query.search": { await galaxy.search($0.arguments["text"]?.string ?? "") },
    ]
  }

  private static func mutations(_ galaxy: Galaxy) -> [String: ExecutableSchema.Resolver] {
    [
      "Mutation.createReview": { context in
        try await galaxy.createReview(
          context.arguments["review"]?.object ?? [:], of: context.arguments["episode"]?.string ?? "")
      },
      "Mutation.renameCharacter": { context in
        try await galaxy.renameCharacter(context.id, to: context.arguments["name"]?.string ?? "")
      },
    ]
  }

  private static func objects(_ galaxy: Galaxy) -> [String: ExecutableSchema.Resolver] {
    let friends: ExecutableSchema.Resolver = { context in
      .list(await galaxy.characters(context.source["friendIDs"]))
    }
    let friendsConnection: ExecutableSchema.Resolver = { context in
      try page(
        of: await galaxy.characters(context.source["friendIDs"]), first: context.arguments["first"]?.int,
        after: context.arguments["after"]?.string)
    }
    let secretBackstory: ExecutableSchema.Resolver = { _ in throw ExecutionError("secretBackstory is secret.") }
    return [
      "Human.friends": friends, "Droid.friends": friends,
      "Human.friendsConnection": friendsConnection, "Droid.friendsConnection": friendsConnection,
      "Human.secretBackstory": secretBackstory, "Droid.secretBackstory": secretBackstory,
      "Human.height": { $0.length("height") },
      "Human.starships": { context in
        var starships: [GraphQLValue] = []
        for id in context.source["starshipIDs"]?.list ?? [] { starships.append(await galaxy.starship(id.string ?? "")) }
        return .list(starships)
      },
      "Starship.length": { $0.length("length") },
    ]
  }

  /// A page of a list — [Cursor Connections](https://relay.dev/graphql/connections.htm). A cursor is the id of a friend.
  private static func page(of friends: [GraphQLValue], first: Int?, after: String?) throws -> GraphQLValue {
    if let first, first < 0 {
      throw ExecutionError("\"first\" must not be negative.", extensions: ["code": "BAD_USER_INPUT"])
    }
    let start = after.flatMap { id in friends.firstIndex { $0["id"]?.string == id } }.map { $0 + 1 } ?? 0
    let rest = friends[start...]
    let page = rest.prefix(first ?? rest.count)
    return [
      "totalCount": .int(friends.count),
      "edges": .list(page.map { ["cursor": $0["id"] ?? .null, "node": $0] }),
      "pageInfo": [
        "startCursor": page.first?["id"] ?? .null, "endCursor": page.last?["id"] ?? .null,
        "hasNextPage": .bool(page.count < rest.count),
      ],
    ]
  }
}

extension Galaxy {
  fileprivate func characters(_ ids: GraphQLValue?) -> [GraphQLValue] {
    ids?.list?.map { character($0.string ?? "") } ?? []
  }
}

extension ResolverContext {
  fileprivate var id: String { arguments["id"]?.string ?? "" }

  /// A member that is in meters, in the unit that was asked for.
  fileprivate func length(_ member: String) -> GraphQLValue {
    guard let meters = source[member]?.double else { return .null }
    return .double(arguments["unit"]?.string == "FOOT" ? meters / 0.3048 : meters)
  }
}

extension GraphQLValue {
  fileprivate func ifType(_ name: String) -> GraphQLValue { self["__typename"]?.string == name ? self : .null }
}
