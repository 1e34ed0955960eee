import Foundation
import GraphQLExecution
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation
import Testing

@testable import StarWarsServer

/// The files of the client.
enum ClientFiles {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Sources/StarWars")

  static func text(of path: String) throws -> String {
    String(decoding: try Data(contentsOf: folder.appending(path: path)), as: UTF8.self)
  }

  static func sources(in path: String) throws -> [Source] {
    let files = try FileManager.default.contentsOfDirectory(
      at: folder.appending(path: path), includingPropertiesForKeys: nil)
    return try files.filter { $0.pathExtension == "graphql" }.sorted { $0.path < $1.path }.map { file in
      Source(utf8: Array(try Data(contentsOf: file)), name: file.lastPathComponent)
    }
  }
}

@Suite("The client's schema and operations")
struct OperationTests {
  @Test("The client's schema is the server's")
  func schemaCopy() throws {
    #expect(try ClientFiles.text(of: "schema.graphqls") == StarWarsServer.schema)
  }

  @Test("The schema is valid")
  func schema() {
    let diagnostics = SchemaValidator.validate([Source(StarWarsServer.schema)]).diagnostics
    #expect(diagnostics.map(\.fullMessage) == [])
  }

  @Test("Every operation is valid")
  func operations() throws {
    let documents = (try ClientFiles.sources(in: "Operations") + ClientFiles.sources(in: "Fragments")).map {
      Parser.parse($0)
    }
    #expect(documents.flatMap(\.diagnostics).map(\.fullMessage) == [])
    let schema = Schema.build(from: [Source(StarWarsServer.schema)]).value
    let diagnostics = Validator.validate(documents.map(\.value), against: schema).diagnostics
    #expect(diagnostics.map(\.fullMessage) == [])
  }

  @Test(
    "Every operation answers",
    arguments: [
      ("HeroName", [:], ["hero": ["id": "2001", "name": "R2-D2"]]),
      ("HeroName", ["episode": "EMPIRE"], ["hero": ["id": "1000", "name": "Luke Skywalker"]]),
      (
        "HeroDetails", ["episode": "EMPIRE", "unit": "FOOT"],
        [
          "hero": [
            "id": "1000", "name": "Luke Skywalker", "appearsIn": ["NEWHOPE", "EMPIRE", "JEDI"],
            "homePlanet": "Tatooine", "height": .double(1.72 / 0.3048),
          ]
        ]
      ),
      (
        "HeroAndFriends", ["withFriends": false, "nameOnly": true],
        ["hero": ["name": "R2-D2"]]
      ),
      (
        "FriendsPage", ["id": "1000", "after": "1003", "first": 1],
        [
          "character": [
            "id": "1000",
            "friendsConnection": [
              "totalCount": 4,
              "edges": [
                [
                  "cursor": "2000",
                  "node": ["id": "2000", "name": "C-3PO", "appearsIn": ["NEWHOPE", "EMPIRE", "JEDI"]],
                ]
              ], "pageInfo": ["endCursor": "2000", "hasNextPage": true],
            ],
          ]
        ]
      ),
      (
        "Search", ["text": "wIlHuFf"],
        [
          "search": [
            [
              "__typename": "Human", "id": "1004", "name": "Wilhuff Tarkin", "appearsIn": ["NEWHOPE"],
              "homePlanet": nil, "height": 1.8,
            ]
          ]
        ]
      ),
      (
        "StarshipRoute", ["id": "3000"],
        [
          "starship": [
            "id": "3000", "name": "Millennium Falcon", "length": 34.37,
            "coordinates": [[1, 2], [3.5, -4.25], [12, 0]],
          ]
        ]
      ),
      (
        "EpisodeReviews", ["episode": "EMPIRE"],
        [
          "reviews": [
            [
              "id": "review-2", "stars": 5, "commentary": "I knew it.",
              "favoriteColor": ["red": 10, "green": 120, "blue": 240], "createdAt": "1980-05-21T18:00:00Z",
            ]
          ]
        ]
      ),
      (
        "RenameCharacter", ["id": "1003", "name": "General Organa"],
        ["renameCharacter": ["id": "1003", "name": "General Organa"]]
      ),
    ] as [(String, GraphQLValue.Object, GraphQLValue)])
  func answers(_ name: String, _ variables: GraphQLValue.Object, _ data: GraphQLValue) async throws {
    let result = try await execute(name, variables)
    #expect(result.errors.map(\.message) == [])
    #expect(result.data == data)
  }

  @Test("A secret field fails alone")
  func secretBackstory() async throws {
    let result = try await execute("CharacterBackstory", ["id": "2000"])
    #expect(result.data == ["character": ["name": "C-3PO", "secretBackstory": nil]])
    #expect(result.errors.map(\.message) == ["secretBackstory is secret."])
    #expect(result.errors.map(\.path) == [["character", "secretBackstory"]])
  }

  @Test("A review that is created is there afterwards, before the older ones")
  func createReview() async throws {
    let api = try StarWarsAPI.make(Galaxy())
    let created = try await execute(
      "CreateReview", ["episode": "JEDI", "review": ["stars": 3, "favoriteColor": ["red": 1]]], api)
    #expect(created.errors.map(\.message) == [])
    #expect(created.data?["createReview"]?["favoriteColor"] == ["red": 1, "green": 0, "blue": 0])
    let reviews = try await execute("EpisodeReviews", ["episode": "JEDI"], api)
    #expect(reviews.data?["reviews"] == [created.data?["createReview"] ?? .null])
  }

  @Test("What a mutation refuses has a code")
  func refusals() async throws {
    let stars = try await execute("CreateReview", ["episode": "JEDI", "review": ["stars": 6]])
    #expect(stars.errors.map(\.extensions) == [["code": "BAD_USER_INPUT"]])
    let unknown = try await execute("RenameCharacter", ["id": "9", "name": "x"])
    #expect(unknown.data == ["renameCharacter": nil])
    #expect(unknown.errors.map(\.extensions) == [["code": "NOT_FOUND"]])
  }

  private func execute(
    _ name: String, _ variables: GraphQLValue.Object, _ api: ExecutableSchema? = nil
  ) async throws -> ExecutionResult {
    let sources = try ClientFiles.sources(in: "Operations") + ClientFiles.sources(in: "Fragments")
    let document = Document(definitions: sources.flatMap { Parser.parse($0).value.definitions })
    let api = try api ?? StarWarsAPI.make(Galaxy())
    return await api.execute(document, operationName: name, variables: variables)
  }
}
