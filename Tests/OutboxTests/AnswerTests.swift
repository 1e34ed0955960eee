import Apollo
@testable import ApolloAPI
import Foundation
import StyledTests
import Testing
import Waiting

extension OutboxTests {
  @Suite("Answers of the outbox", .everyStyle)
  struct AnswerTests {
    /// A mutation whose data counts how often it is read.
    private struct Counted: GraphQLMutation {
      static let operationName = CreateTodo.operationName
      static let operationDocument = CreateTodo.operationDocument
      static let reads = Locked<[String: Int]>([:])

      var text: String

      func __writeVariables(to writer: inout __JSONWriter) { writer.write("text", text) }

      struct Data: SelectionSet, Hashable {
        var createTodo: Todo?
        static let __fields = CreateTodo.Data.__fields
        init(__reading object: inout __ObjectReader) throws(__ReadError) {
          let todo: Todo? = try object.read(0)
          createTodo = todo
          Counted.reads.withLock { $0[todo?.text ?? "", default: 0] += 1 }
        }
        func __writeFields(to writer: inout __JSONWriter) { writer.write(0, createTodo) }
      }
    }

    @Test(
      "The answer to a mutation is read once, and is in the cache", .asWritten,
      arguments: TodoServer.Way.allCases.filter { $0 != .foreign }, Place.Kind.allCases)
    func readOnce(way: TodoServer.Way, kind: Place.Kind) async throws {
      let server = TodoServer(), client = server.client(way, try Place(kind).launch()), text = UUID().uuidString
      let todo = try await client.enqueue(Counted(text: text)).value.data?.createTodo
      #expect(todo?.text == text)
      let count = Counted.reads.withLock { $0[text] }
      #expect(count == 1)
      let cached = try await client.store.withinReadTransaction { transaction in
        try transaction.readObject(ofType: Todo.self, withKey: "Todo:\(todo?.id ?? "")")
      }
      #expect(cached == todo)
    }

    /// Reads the records of each result, as an app does that writes them itself.
    private struct RecordReader: GraphQLInterceptor {
      func intercept<Request: GraphQLRequest>(
        request: Request, next: NextInterceptorFunction<Request>
      ) async throws -> InterceptorResultStream<Request> {
        await next(request).map { parsed in
          _ = parsed.cacheRecords
          return parsed
        }
      }
    }

    @Test(
      "An answer ends the guess of its mutation, and the update is called once",
      arguments: [(true, false), (false, true), (true, true)])
    func guess(hasFiles: Bool, isRead: Bool) async throws {
      let server = TodoServer(), updates = Locked(0)
      let client = server.client(.http, try Place(.memory).launch()) {
        if isRead { $0.http.graphQLInterceptors = [RecordReader()] }
      }
      let file = GraphQLFile(fieldName: "text", originalName: "a", data: Data("x".utf8))
      let queued = try await client.enqueue(
        CreateTodo(text: "a"), optimisticData: .init(createTodo: Todo(id: Outbox.makeLocalID(), text: "guess")),
        update: { _, _ in updates.withLock { $0 += 1 } }, files: hasFiles ? [file] : [])
      let todo = try await queued.value.data?.createTodo
      #expect(client.store.optimisticUpdates.isEmpty)
      let count = updates.withLock { $0 }
      #expect(count == 1)
      let cached = try await client.store.withinReadTransaction { transaction in
        try transaction.readObject(ofType: Todo.self, withKey: "Todo:\(todo?.id ?? "")")
      }
      #expect(cached == todo)
    }
  }
}
