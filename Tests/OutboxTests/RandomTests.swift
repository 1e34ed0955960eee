@testable import Apollo
import ApolloWebSocket
import Foundation
import StyledTests
import Testing
import Waiting

extension OutboxTests {
  @Suite("Random steps")
  struct RandomTests {
    /// What a test knows of a mutation.
    struct Known {
      let id: UUID
      let object: Int
      let text: String
      var isCancelled = false
    }

    /// Each object has a scope of its own. So the server must see the changes of an object in the order of the calls, each
    /// once, whatever happens to networks, servers, processes and users.
    @Test(
      "Whatever happens, each mutation is done once, in its order, or the app is told of it",
      arguments: Effort.seeds(4),
      [Place.Kind.memory, .disk])
    func steps(seed: UInt64, kind: Place.Kind) async throws {
      var dice = Numbers(seed &+ 1), place = try Place(kind), known: [Known] = []
      let server = TodoServer(), monitor = ManualNetworkMonitor(), objects = 0..<4
      for object in objects { server.add("\(object)", "") }
      var client = server.client(.http, try place.launch(), monitor: monitor)
      for step in 0..<60 {
        switch Int.random(in: 0..<12, using: &dice) {
        case 0..<5:
          let object = Int.random(in: objects, using: &dice), text = "\(object).\(step)"
          let queued = try await client.enqueue(
            RenameTodo(id: "\(object)", text: text),
            optimisticData: .init(renameTodo: Todo(id: "\(object)", text: text)), scope: "scope \(object)")
          known.append(Known(id: queued.id, object: object, text: text))
          // It is shown, unless it was refused already.
          if await client.outbox.failed.allSatisfy({ $0.id != queued.id }) {
            let shown = try await client.store.text("\(object)")
            let wasRefused = await client.outbox.failed.contains { $0.id == queued.id }
            #expect(shown == text || wasRefused, "step \(step): \(shown ?? "nil") is shown")
          }
        case 5: server.plan([.noNetwork, .lost, .status(503), .status(400)].randomElement(using: &dice)!)
        case 6: monitor.isOnline = Bool.random(using: &dice)
        case 7: if Bool.random(using: &dice) { await client.outbox.pause() } else { await client.outbox.resume() }
        case 8:
          guard let index = known.indices.randomElement(using: &dice) else { break }
          if await client.outbox.cancel(known[index].id) { known[index].isCancelled = true }
        case 9:
          if let failed = await client.outbox.failed.randomElement(using: &dice) {
            await client.outbox.retry(failed.id)
          }
        case 10: try await client.outbox.flush()
        default:
          // The process is stopped, and the app is started again.
          await client.outbox.close()
          place = try place.copy()
          client = server.client(.http, try place.launch(), monitor: monitor)
        }
      }
      monitor.isOnline = true
      await client.outbox.resume()
      try await client.outbox.flush()
      for failed in await client.outbox.failed { #expect(failed.error?.httpStatus == nil && failed.error != nil) }
      try await eventually("nothing waits") { client.outbox.count == 0 }
      let failed = Set(await client.outbox.failed.map(\.id))
      let done = server.executions.map { String($0.dropFirst("RenameTodo ".count)) }
      #expect(Set(done).count == done.count, "a mutation was done twice: \(done)")
      for one in known where !one.isCancelled {
        // (One whose answer was lost may have been refused when it was sent again.)
        #expect(done.contains(one.text) || failed.contains(one.id), "\(one.text) is lost")
      }
      // What was given up and tried again may come later.
      let retried = Set(
        server.requests.map { "\($0.variables["text"] ?? "")" }.filter { text in
          server.requests.contains { $0.variables["text"] as? String == text && $0.status == 400 }
        })
      for object in objects {
        let order = done.filter { $0.hasPrefix("\(object).") && !retried.contains($0) }
        let wanted = known.map(\.text).filter { order.contains($0) }
        #expect(order == wanted)
      }
      await client.outbox.close()
    }

    @Test("A client over two transports has its outbox as well")
    func webSocketClient() async throws {
      let place = try Place(.memory)
      let configuration = ApolloClient.Configuration(
        url: URL(string: "http://127.0.0.1:1/")!, outbox: try place.launch(),
        networkMonitor: ManualNetworkMonitor(isOnline: false))
      let client = ApolloClient(configuration: configuration, webSocketURL: URL(string: "ws://127.0.0.1:1/")!)
      try await client.enqueue(CreateTodo(text: "a"))
      #expect(try await place.storage().load().rows.count == 1)
    }
  }
}
