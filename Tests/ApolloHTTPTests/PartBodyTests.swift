@testable import ApolloRequestChain
import Apollo
import Foundation
import ScriptedServer
import StyledTests
import Testing

/// Stands between the interceptor that takes parts apart and the one that parses.
private final class BodyWitness: HTTPStep, StepInterceptor, Sendable {
  let bodies = Locked<[String]>([])
  /// Gives each body another form before it is parsed.
  let change: @Sendable (String) -> String

  init(change: @escaping @Sendable (String) -> String = { $0 }) { self.change = change }

  func intercept<Operation: GraphQLOperation>(
    request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?
  ) async throws -> NextStep<Operation> {
    if let response {
      let body = String(decoding: response.rawData, as: UTF8.self)
      bodies.withLock { $0.append(body) }
      if change(body) != body { response.rawData = Data(change(body).utf8) }
    }
    return .proceed(response)
  }
}

private struct Provider: InterceptorProvider {
  let witness: BodyWitness
  let base = DefaultInterceptorProvider(store: ApolloStore())

  func interceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any ApolloInterceptor] {
    base.interceptors(for: operation).flatMap { interceptor -> [any ApolloInterceptor] in
      interceptor is MultipartResponseParsingInterceptor ? [interceptor, witness] : [interceptor]
    }
  }
}

@Suite("What interceptors see of a response in parts", .everyStyle)
struct PartBodyTests {
  private static let head = "\r\nContent-Type: application/json\r\n\r\n"

  private func client(_ server: ScriptedServer, _ witness: BodyWitness) -> ApolloClient {
    ApolloClient(
      networkTransport: RequestChainNetworkTransport(
        interceptorProvider: Provider(witness: witness), endpointURL: URL(string: server.address)!))
  }

  @Test(
    "A body is the part as the server sent it, without white space around it, and the data is that of the response so far"
  )
  func deferred() async throws {
    let parts = [
      #"{ "data" : {"hero":{"id":"1"}},"pending":[{"id":"0","path":["hero"],"label":"d"}],"hasNext":true}"#,
      #"{"incremental":[ {"id":"0","data":{"slowBio":"long"}}],"completed":[{"id":"0"}],"hasNext":false}"#,
    ].map(\.restyled)
    let witness = BodyWitness()
    try await serve { _, _ in
      [
        .begin(contentType: "multipart/mixed; boundary=b"),
        .write("--b" + parts.map { Self.head + $0 + "\r\n--b" }.joined() + "--"), .close,
      ]
    } _: { server async throws in
      var bios: [String?] = []
      for try await result in client(server, witness).results(
        of: DeferredBioQuery(), cachePolicy: .fetchIgnoringCacheData)
      {
        bios.append(result.data?.hero?.slowBio)
      }
      #expect(bios == [nil, "long"])
    }
    #expect(witness.bodies.withLock { $0 } == parts.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) })
  }

  @Test("A body of a subscription is the payload, and an interceptor may put another in its place", .asWritten)
  func subscription() async throws {
    let witness = BodyWitness { $0.replacingOccurrences(of: "1", with: "7") }
    try await serve { _, _ in
      [
        .begin(contentType: HTTPSubscriptionTests.multipart),
        .write("--graphql" + Self.head + #"{"payload": {"data":{"count":1}} }"# + "\r\n--graphql--"), .close,
      ]
    } _: { server async throws in
      for try await event in client(server, witness).subscribe(to: CountSubscription()) {
        #expect(event.data?.count == 7)
      }
    }
    #expect(witness.bodies.withLock { $0 } == [#"{"data":{"count":1}}"#])
  }
}
