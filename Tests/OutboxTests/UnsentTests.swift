@testable import Apollo
@testable import ApolloOutbox
import ApolloTestSupport
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// Requests that cannot be made, because of the files of the device.

extension OutboxTests {
  @Suite("Requests that cannot be made")
  struct UnsentTests {
    private typealias Rule = MaxRetryInterceptor.RetryRule

    @Test("A request that cannot be made because of the disk is tried again; one whose files are gone is not")
    func fullDisk() {
      func isTriedAgain(_ error: any Error, isSent: Bool = false) -> Bool {
        Rule.queuedMutations.allowsRetry(
          Rule.FailedOperation(queued: CreateTodo.self, error, TestClock(), isSent: isSent))
      }
      let folder = FileManager.default.temporaryDirectory, gone = folder.appendingPathComponent(UUID().uuidString)
      typealias FileError = GraphQLFile.GraphQLFileError
      let cause = [NSUnderlyingErrorKey: POSIXError(.ENOSPC)]
      #expect(isTriedAgain(POSIXError(.ENOSPC)) && isTriedAgain(POSIXError(.EACCES)))
      #expect(isTriedAgain(NSError(domain: "NSCocoaErrorDomain", code: 640, userInfo: cause)))
      #expect(isTriedAgain(FileError.couldNotReadFile(fileURL: folder)))
      #expect(!isTriedAgain(FileError.couldNotReadFile(fileURL: gone)))
      #expect(!isTriedAgain(POSIXError(.EINVAL)) && !isTriedAgain(CocoaError(.coderInvalidValue)))
      #expect(!isTriedAgain(POSIXError(.ENOSPC), isSent: true))
      #expect(DiskFailure(POSIXError(.ENOSPC)) == .full && DiskFailure(POSIXError(.EMFILE)) == .full)
      #expect(DiskFailure(POSIXError(.EPERM)) == .unreadable && DiskFailure(POSIXError(.EIO)) == .unreadable)
    }

    /// Writes each answer to a disk that is full.
    private struct FullDisk: HTTPInterceptor {
      func intercept(request: URLRequest, next: NextHTTPInterceptorFunction) async throws -> ChunkedHTTPResponse {
        _ = try await next(request)
        throw POSIXError(.ENOSPC)
      }
    }

    @Test("An answer that an interceptor cannot write to a full disk does not have the mutation sent without end")
    func answerOnFullDisk() async throws {
      let server = TodoServer()
      let client = server.client(.http, try Place(.memory).launch()) { $0.http.interceptors = [FullDisk()] }
      let queued = try await client.enqueue(CreateTodo(text: "a"))
      await #expect(throws: OperationError.self) { try await queued.value }
      #expect(server.texts == ["a"] && server.requests.count == 1)
      #expect(await client.outbox.failed.map(\.id) == [queued.id])
    }

    /// What takes the place of the copy of a file, so that it cannot be read.
    private struct Obstacle {
      let copy: URL
      let aside: URL

      init(in place: Place) throws {
        copy = place.folder.appendingPathComponent(try #require(place.fileNames.first))
        aside = place.folder.appendingPathComponent("aside")
        // (A folder cannot be read as a file, by any account.)
        try FileManager.default.moveItem(at: copy, to: aside)
        try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: false)
      }

      func remove() throws {
        try FileManager.default.removeItem(at: copy)
        try FileManager.default.moveItem(at: aside, to: copy)
      }
    }

    private static let file = GraphQLFile(fieldName: "file", originalName: "a.txt", data: Data("contents".utf8))

    private func settings(_ place: Place) throws -> Outbox.Configuration {
      try place.launch {
        $0.retry.baseDelay = 7200
        $0.retry.maxDelay = 7200
      }
    }

    /// A transport whose `send` an app may have overridden.
    private final class OwnTransport: RequestChainNetworkTransport, @unchecked Sendable {}

    /// How the requests are made.
    enum Maker: CaseIterable, Sendable { case transport, batcher, ownTransport }

    private static func client(
      _ maker: Maker, of server: TodoServer, _ outbox: Outbox.Configuration, _ monitor: ManualNetworkMonitor
    ) -> ApolloClient {
      guard maker == .ownTransport else {
        return server.client(.http, outbox, monitor: monitor) {
          if maker == .batcher { $0.batching = ApolloClient.Configuration.Batching(maximumSize: 1) }
        }
      }
      let store = ApolloStore(), url = URL(string: "http://todo.example/graphql")!
      let provider = DefaultInterceptorProvider(session: server.session, store: store)
      return ApolloClient(
        networkTransport: OwnTransport(interceptorProvider: provider, endpointURL: url),
        configuration: ApolloClient.Configuration(
          url: url, cache: .store(store), outbox: outbox, networkMonitor: monitor))
    }

    @Test(
      "A copy that cannot be read for now, as while the device is locked, is sent when it can be read",
      arguments: Maker.allCases)
    func lockedCopy(maker: Maker) async throws {
      let server = TodoServer(), place = try Place(.disk), monitor = ManualNetworkMonitor(isOnline: false)
      let client = Self.client(maker, of: server, try settings(place), monitor)
      let queued = try await client.enqueue(Attach(), files: [Self.file])
      let obstacle = try Obstacle(in: place)
      monitor.isOnline = true
      try await client.outbox.flush()
      #expect(await client.outbox.failed.isEmpty && server.requests.isEmpty)
      try obstacle.remove()
      guard maker != .batcher else { return await client.outbox.close() }
      try await client.outbox.flush()
      #expect(try await queued.value.data?.attach == "done")
      #expect(server.requests.count == 1 && place.fileNames.isEmpty)
    }

    @Test("A copy that cannot be read for longer than a day is given up, and the app can try it again")
    func unreadableCopy() async throws {
      let server = TodoServer(), place = try Place(.disk), monitor = ManualNetworkMonitor(isOnline: false)
      let clock = TestClock()
      let client = server.client(.http, try settings(place), monitor: monitor) { $0.clock = clock }
      let queued = try await client.enqueue(Attach(), files: [Self.file])
      let obstacle = try Obstacle(in: place)
      monitor.isOnline = true
      for _ in 0..<12 { try await client.outbox.flush() }
      #expect(await client.outbox.failed.isEmpty)
      await clock.advance(by: .seconds(86_400))
      try await client.outbox.flush()
      await #expect(throws: OperationError.self) { try await queued.value }
      #expect(await client.outbox.failed.map(\.id) == [queued.id] && server.requests.isEmpty)
      try obstacle.remove()
      #expect(await client.outbox.retry(queued.id))
      try await client.outbox.flush()
      #expect(server.executions == ["Attach"])
    }
  }
}
