@testable import Apollo
import Foundation
import Testing

@Suite("Requests of one watcher that begin at one moment", .timeLimit(.minutes(5)))
struct LateRequestTests {
  @Test("A request that begins late does not stop a newer one")
  func lateBeginning() async throws {
    let (client, _) = FakeServer.client { _, count in hero("\(count)") }, received = Received<String?>()
    let watcher = client.watch(query: HeroQuery(), callbackQueue: DispatchQueue(label: "handlers")) { result in
      received.add(try? result.get().data?.hero?.name)
    }
    #expect(await received.next() != nil)
    await watcher.waitUntilAnswered()
    let polled = try #require(watcher.change { $0.ask() }), asked = try #require(watcher.change { $0.ask() })
    let newer = watcher.sendByItself(asked), older = watcher.sendByItself(polled)
    #expect(older.isCancelled && !newer.isCancelled)
    await newer.value
    #expect(await received.next() != nil)
    watcher.cancel()
  }
}
