import Apollo
import ApolloAPI
import ApolloCache
import Fixture0060
import Foundation
import Logging
import ScriptedServer
import StyledTests
import Testing
import Waiting

/// Models whose operations say what becomes of errors, through a whole client. What a model has in place of an error is in
/// `NullTests`.
@Suite("Errors of fields that operations catch or throw", .everyStyle)
struct FieldErrorTests {
  private let broken =
    #"{"data":{"user":{"__typename":"User","id":"1","name":null,"email":"a"}},"errors":[{"message":"broken","path":["user","name"]}]}"#
  private let thrown =
    #"{"data":{"viewer":{"__typename":"User","id":"1","name":null},"product":null},"errors":[{"message":"broken","path":["viewer","name"]}]}"#

  @Test("A failure is in the model and among the errors, from the server and from the cache, for each error policy")
  func results() async throws {
    let (client, server) = FakeServer.client { [broken] _, _ in broken }
    _ = try await client.fetch(query: Nulls.NameResultQuery())
    for (count, policy) in [(2, ErrorPolicy.all), (3, .ignore)] {
      let cached = try await client.fetch(
        query: Nulls.NameResultQuery(), cachePolicy: .returnCacheDataDontFetch,
        requestConfiguration: RequestConfiguration(errorPolicy: policy))
      #expect(cached.data?.user?.name.error?.path == ["user", "name"])
      let result = try await client.fetch(
        query: Nulls.NameResultQuery(), cachePolicy: .fetchIgnoringCacheData,
        requestConfiguration: RequestConfiguration(errorPolicy: policy))
      #expect(result.data?.user?.name.error?.message == "broken" && result.data?.user?.email == "a")
      #expect(result.errors?.map(\.message) ?? [] == (policy == .all ? ["broken"] : []))
      #expect(result.unhandledFieldError == nil && server.count == count)
    }
    await #expect(throws: OperationError.self) {
      try await client.fetch(
        query: Nulls.NameResultQuery(), requestConfiguration: RequestConfiguration(errorPolicy: .none))
    }
  }

  @Test("An error of a field that may be null is caught as the operation says, whether the client stores it or not")
  func nullable() async throws {
    let text =
      #"{"data":{"user":{"__typename":"User","id":"1","name":"Ada","email":null,"role":null,"birthday":null}},"errors":[{"message":"broken","path":["user","email"]}]}"#
    let (client, _) = FakeServer.client { _, _ in text }
    for policy in [CachePolicy.fetchIgnoringCacheData, .fetchIgnoringCacheCompletely] {
      let thrown = try await client.fetch(query: Nulls.EmailThrowQuery(), cachePolicy: policy)
      #expect(thrown.data != nil && thrown.data?.user == nil)
      let caught = try await client.fetch(query: Nulls.EmailResultQuery(), cachePolicy: policy)
      #expect(caught.data?.user?.email.error?.message == "broken")
    }
  }

  @Test("An error that nothing catches leaves no data, is thrown by who asks for it, and is asked for again")
  func unhandled() async throws {
    let (client, server) = FakeServer.client { [thrown] _, _ in thrown }
    for count in [1, 2] {
      let result = try await client.fetch(query: Nulls.ViewerQuery())
      #expect(result.data == nil && result.unhandledFieldError?.message == "broken")
      #expect(result.errors?.map(\.message) == ["broken"] && server.count == count)
      let error = #expect(throws: ResultError.self) { try result.dataOrThrow(allowsErrors: true) }
      #expect(error?.message == "broken")
    }
    // Another operation finds in the cache what the server sent.
    let plain = try await client.fetch(query: Nulls.ViewerResultQuery(), cachePolicy: .returnCacheDataDontFetch)
    #expect(plain.data?.viewer.error?.path == ["viewer", "name"])
  }

  @Test("A watcher shows the failure, and the value that comes later")
  func watcher() async throws {
    let fine = #"{"data":{"user":{"__typename":"User","id":"1","name":"Ada","email":"a"}}}"#
    let (client, _) = FakeServer.client { [broken] operation, _ in operation == "Plain" ? fine : broken }
    let names = Received<String>()
    let watcher = client.watch(query: Nulls.NameResultQuery()) { result in
      let name = try? result.get().data?.user?.name
      names.add(name.map { $0.value ?? $0.error?.message ?? "?" } ?? "none")
    }
    #expect(await names.next() == "broken")
    _ = try await client.fetch(query: Nulls.PlainQuery(), cachePolicy: .fetchIgnoringCacheData)
    #expect(await names.next() == "Ada")
    watcher.cancel()
  }

  @Test("A required field that is null is in the log, if the operation says so, with its place and without its values")
  func log() async throws {
    let lines = Locked<[String]>([])
    var options = DefaultInterceptorProvider.Options()
    options.logging = {
      LoggingInterceptor(logger: Logger(label: "test") { _ in MemoryLog(lines: lines, logLevel: .info) })
    }
    let data =
      #"{"data":{"user":{"__typename":"User","id":"1","email":"secret","bestFriend":{"__typename":"User","id":"2","email":null}},"viewer":{"__typename":"User","id":"1","tags":[]}}}"#
    _ = try await serve { _, _ in
      [.respond(data)]
    } _: { server async throws in
      let result = try await client(server, provider: options).fetch(query: Nulls.RequiredQuery())
      #expect(result.data?.user?.email == "secret" && result.data?.user?.bestFriend == nil && result.errors == nil)
    }
    let text = lines.withLock { $0 }.joined(separator: "\n")
    #expect(text.contains("warning: ") && text.contains("required, and null: user.bestFriend.email"))
    #expect(!text.contains("secret"))
  }
}
