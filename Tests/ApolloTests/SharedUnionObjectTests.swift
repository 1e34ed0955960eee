import Apollo
import Fixture0040
import Foundation
import StyledTests
import Testing

@Suite("Watchers of objects in unions", .everyStyle, .timeLimit(.minutes(5)))
struct SharedUnionObjectTests {
  @Test("A watcher is told of a book that it reads through a union when another operation changes it through another")
  func update() async throws {
    let (client, server) = FakeServer.client { _, count in
      count == 1
        ? #"{"data":{"shelf":[{"__typename":"Book","isbn":"1","edition":"FIRST","title":"Old","sequel":null}],"named":null}}"#
        : #"{"data":{"found":[{"__typename":"Book","isbn":"1","edition":"FIRST","title":"New","pages":1,"name":"N","label":"N"}]}}"#
    }
    let received = Received<Result<GraphQLResult<ShelfQuery.Data>, any Error>>()
    let watcher = client.watch(query: ShelfQuery(), callbackQueue: .global()) { received.add($0) }
    #expect(try await received.next()?.get().data?.shelf.first?.asBook?.title == "Old")
    _ = try await client.fetch(query: FoundQuery(), cachePolicy: .fetchIgnoringCacheData)
    let update = try await received.next()?.get()
    #expect(update?.data?.shelf.first?.asBook?.title == "New")
    #expect(update?.source == .cache)
    #expect(server.count == 2)
    watcher.cancel()
  }
}
