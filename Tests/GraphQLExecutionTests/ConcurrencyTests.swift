import GraphQLExecution
import Testing
import Waiting

/// [6.3.1](https://spec.graphql.org/September2025/#sec-Normal-and-Serial-Execution)
@Suite("Order of execution")
struct ConcurrencyTests {
  @Test("Fields of a query are resolved at once, and answer in order", .timeLimit(.minutes(5)))
  func concurrentQuery() async throws {
    let meeting = Meeting(of: 3)
    let api = try makeAPI(
      "type Query { a: Int, b: Int, c: Int }",
      resolvers: [
        "Query.a": { _ in
          await meeting.join(); return 1
        },
        "Query.b": { _ in
          await meeting.join(); return 2
        },
        "Query.c": { _ in
          await meeting.join(); return 3
        },
      ])
    #expect(try await api.run("{ c a b }").text == #"{"data":{"c":3,"a":1,"b":2}}"#)
  }

  @Test("Elements of a list are completed at once, and keep their order", .timeLimit(.minutes(5)))
  func concurrentList() async throws {
    let meeting = Meeting(of: 3)
    let api = try makeAPI(
      "type Query { items: [Item] } type Item { n: Int, waits: Boolean }",
      resolvers: [
        "Item.waits": { _ in
          await meeting.join(); return true
        }
      ])
    let result = try await api.run("{ items { n waits } }", rootValue: ["items": [["n": 1], ["n": 2], ["n": 3]]])
    #expect(result.data?["items"]?.list?.map { $0["n"] } == [1, 2, 3])
  }

  @Test("Fields of a mutation are executed one after another, with all that is below them")
  func serialMutation() async throws {
    let log = Log()
    let change: ExecutableSchema.Resolver = { context in
      await log.append("begin \(context.arguments["n"] ?? .null)")
      await Task.yield()
      return .object(context.arguments)
    }
    let api = try makeAPI(
      "type Query { a: Int } type Mutation { change(n: Int): Change } type Change { n: Int, after: Int }",
      resolvers: [
        "Mutation.change": change,
        "Change.after": { context in
          await Task.yield()
          await log.append("end \(context.source["n"] ?? .null)")
          return nil
        },
      ])
    let result = try await api.run(
      "mutation { a: change(n: 1) { n after } b: change(n: 2) { after } c: change(n: 3) { after } }")
    #expect(result.data?["a"] == ["n": 1, "after": nil])
    #expect(await log.entries == ["begin 1", "end 1", "begin 2", "end 2", "begin 3", "end 3"])
  }

  @Test("A mutation goes on after a field that fails, but not when there is no data left")
  func failingMutation() async throws {
    let log = Log()
    let api = try makeAPI(
      "type Query { a: Int } type Mutation { nullable: Int, required: Int!, last: Int }",
      resolvers: [
        "Mutation.nullable": { _ in throw ExecutionError("first") },
        "Mutation.required": { _ in throw ExecutionError("second") },
        "Mutation.last": { _ in
          await log.append("last"); return 1
        },
      ])
    #expect(try await api.run("mutation { nullable last }").data == ["nullable": nil, "last": 1])
    let result = try await api.run("mutation { nullable required last }")
    #expect(result.data == .null)
    #expect(result.messages == ["first", "second"])
    #expect(await log.entries == ["last"])
  }

  @Test("Cancelling the task of a request cancels its resolvers", .timeLimit(.minutes(5)))
  func cancellation() async throws {
    let api = try makeAPI(
      "type Query { slow: Int, slower: Int }",
      resolvers: [
        "Query.slow": { _ in try await untilCancelled() },
        "Query.slower": { _ in try await untilCancelled() },
      ])
    let task = Task { try await api.run("{ slow slower }") }
    task.cancel()
    let result = try await task.value
    #expect(result.data == ["slow": nil, "slower": nil])
  }
}
