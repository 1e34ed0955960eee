import Apollo
import Foundation
import Testing
import Waiting

@testable import ApolloWebSocket

/// What a system is asked for, which may never call back.
private final class ScriptedSystem: Sendable {
  typealias CallBack = @Sendable (Result<WebSocketMessage?, any Error>) -> Void

  let asked = Awaited<[CallBack]>([])

  func receive(_ callBack: @escaping CallBack) { asked.change { $0.append(callBack) } }

  func callBack(_ number: Int, _ result: Result<WebSocketMessage?, any Error>) { asked.value[number](result) }
}

@Suite("The wait for a message of the system's WebSocket", .timeLimit(.minutes(5)))
struct PendingMessageTests {
  private let system = ScriptedSystem(), pending = PendingMessage()

  private func waiting(after count: Int = 0) async throws -> Task<WebSocketMessage?, any Error> {
    let task = Task { [system, pending] in try await pending.next { system.receive($0) } }
    try await system.asked.until { $0.count > count }
    return task
  }

  @Test("It ends with the message, and the next one is another")
  func message() async throws {
    for (number, text) in ["a", "b"].enumerated() {
      let task = try await waiting(after: number)
      system.callBack(number, .success(.text(text)))
      #expect(try await task.value == .text(text))
    }
  }

  @Test("It ends with the connection, though the system never calls back, and a late call does nothing")
  func end() async throws {
    let task = try await waiting()
    pending.end(URLError(.networkConnectionLost))
    let error = await #expect(throws: URLError.self) { try await task.value }
    #expect(error?.code == .networkConnectionLost)
    system.callBack(0, .success(.text("late")))
    pending.end(URLError(.cancelled))
  }

  @Test("A message that the system has kept is read after the end of the connection")
  func keptMessage() async throws {
    pending.end(URLError(.networkConnectionLost))
    let task = try await waiting()
    system.callBack(0, .success(.text("kept")))
    #expect(try await task.value == .text("kept"))
  }

  @Test("It ends when its task is cancelled, before and while it waits", arguments: [false, true])
  func cancelled(isEarly: Bool) async throws {
    let task: Task<WebSocketMessage?, any Error>
    if isEarly {
      task = Task { [system, pending] in
        withUnsafeCurrentTask { $0?.cancel() }
        return try await pending.next { system.receive($0) }
      }
    } else {
      task = try await waiting()
      task.cancel()
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("Nothing holds it when it is over and the system has let go of it")
  func freed() async throws {
    let system = ScriptedSystem()
    weak var ended: PendingMessage?
    do {
      let pending = PendingMessage()
      ended = pending
      let task = Task { try await pending.next { system.receive($0) } }
      try await system.asked.until { !$0.isEmpty }
      pending.end(URLError(.cancelled))
      await #expect(throws: URLError.self) { try await task.value }
    }
    system.asked.change { $0 = [] }
    try await eventually { ended == nil }
  }
}
