import GraphQLExecution
import GraphQLSyntax
import Testing

/// [6.2.3](https://spec.graphql.org/September2025/#sec-Subscription)
@Suite("Subscriptions")
struct SubscriptionTests {
  static let definitions = """
    type Query { a: Int }
    type Subscription { count(from: Int! = 0): Int, item: Item, silent: Int, broken: Int }
    type Item { id: ID!, name: String! }
    """

  private func makeAPI(_ items: [GraphQLValue] = []) throws -> ExecutableSchema {
    try GraphQLExecutionTests.makeAPI(
      Self.definitions,
      subscriptions: [
        "Subscription.count": { context in
          let first = context.arguments["from"]?.int ?? -1
          return EventStream(
            AsyncStream { continuation in
              for number in first..<first + 3 { continuation.yield(["count": .int(number)]) }
              continuation.finish()
            })
        },
        "Subscription.item": { _ in
          EventStream(
            AsyncThrowingStream { continuation in
              for item in items { continuation.yield(["item": item]) }
              continuation.finish(throwing: ExecutionError("The source is gone."))
            })
        },
        "Subscription.broken": { _ in throw ExecutionError("test error") },
      ])
  }

  @Test("Each event of the source becomes a response")
  func events() async throws {
    let stream = try await makeAPI().subscribe(
      Parser.parse("subscription ($n: Int!) { c: count(from: $n) }").value, variables: ["n": 5])
    var texts: [String] = []
    for await result in stream { texts.append(result.text) }
    #expect(texts == [#"{"data":{"c":5}}"#, #"{"data":{"c":6}}"#, #"{"data":{"c":7}}"#])
  }

  @Test("An error in one event does not end the others; an error of the source is the last response")
  func errors() async throws {
    let stream = try await makeAPI([["id": 1, "name": "a"], ["id": 2], ["id": 3, "name": "c"]]).subscribe(
      Parser.parse("subscription { item { id name } }").value)
    var results: [ExecutionResult] = []
    for await result in stream { results.append(result) }
    #expect(
      results.map(\.data) == [
        ["item": ["id": "1", "name": "a"]], ["item": nil], ["item": ["id": "3", "name": "c"]], nil,
      ])
    #expect(results[1].errors[0].path == ["item", "name"])
    #expect(results[1].errors[0].locations == [.init(line: 1, column: 26)])
    #expect(results[3].messages == ["The source is gone."])
  }

  @Test("A resolver of the field is called with each event as its source")
  func resolver() async throws {
    let api = try GraphQLExecutionTests.makeAPI(
      Self.definitions,
      resolvers: ["Subscription.silent": { context in .int((context.source.int ?? 0) * 10) }],
      subscriptions: [
        "Subscription.silent": { _ in
          EventStream(
            AsyncStream { continuation in
              continuation.yield(1)
              continuation.yield(2)
              continuation.finish()
            })
        }
      ])
    var values: [GraphQLValue?] = []
    for await result in try await api.subscribe(Parser.parse("subscription { silent }").value) {
      values.append(result.data?["silent"])
    }
    #expect(values == [10, 20])
  }

  @Test(
    "A subscription that cannot start throws",
    arguments: [
      ("subscription { unknownField }", #"The subscription field "unknownField" is not defined."#),
      ("subscription { broken }", "test error"),
      ("subscription { silent }", #"The subscription field "silent" has no events."#),
      ("subscription { count silent }", "Anonymous Subscription must select only one top level field."),
      ("subscription S { count silent }", #"Subscription "S" must select only one top level field."#),
      ("subscription { count(from: null) }", #"Argument "from" of non-null type "Int!" must not be null."#),
      ("subscription ($n: Int!) { count(from: $n) }", #"Variable "$n" of required type "Int!" was not provided."#),
    ])
  func failures(_ query: String, _ message: String) async throws {
    let api = try makeAPI()
    do {
      _ = try await api.subscribe(Parser.parse(query).value)
      Issue.record("The subscription started.")
    } catch {
      #expect(error.errors.map(\.message) == [message])
      #expect(error.errors[0].locations.count == 1)
    }
  }

  @Test("A schema without subscriptions says so")
  func noSubscriptionType() async throws {
    let api = try GraphQLExecutionTests.makeAPI("type Query { a: Int }")
    let error = await #expect(throws: RequestError.self) {
      _ = try await api.subscribe(Parser.parse("subscription { a }").value)
    }
    #expect(error?.description == "Schema is not configured to execute subscription operation.")
  }

  @Test("Cancelling the task that listens ends the events of the source", .timeLimit(.minutes(5)))
  func cancellation() async throws {
    let (ended, end) = AsyncStream<Void>.makeStream()
    let api = try GraphQLExecutionTests.makeAPI(
      Self.definitions,
      subscriptions: [
        "Subscription.silent": { _ in
          EventStream(AsyncStream { continuation in continuation.onTermination = { _ in end.finish() } })
        }
      ])
    let stream = try await api.subscribe(Parser.parse("subscription { silent }").value)
    let task = Task { for await _ in stream {} }
    task.cancel()
    await task.value
    for await _ in ended {}
  }
}
