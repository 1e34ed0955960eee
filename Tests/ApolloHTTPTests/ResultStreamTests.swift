import Apollo
import Foundation
import ScriptedServer
import Testing

/// Leaves out the second event of a subscription.
private struct OmittingInterceptor: GraphQLInterceptor {
  /// Whether it makes the stream of a sequence.
  let usesSequence: Bool

  func intercept<Request: GraphQLRequest>(
    request: Request, next: NextInterceptorFunction<Request>
  ) async throws -> InterceptorResultStream<Request> {
    let results = await next(request)
    if usesSequence { return InterceptorResultStream<Request>(stream: results.filter { !isSecond($0) }) }
    return await results.compactMap { isSecond($0) ? nil : $0 }
  }

  private func isSecond<Operation: GraphQLOperation>(_ parsed: ParsedResult<Operation>) -> Bool {
    (parsed.result.data as? CountSubscription.Data)?.count == 2
  }
}

@Suite("The results that an interceptor around an operation passes on", .timeLimit(.minutes(5)))
struct ResultStreamTests {
  @Test("An interceptor leaves a result out, also by a sequence of its own", arguments: [false, true])
  func omitting(usesSequence: Bool) async throws {
    try await serve { _, _ in
      let events = (1...3).map { "event: next\ndata: {\"data\":{\"count\":\($0)}}\n\n" }
      return [.begin(contentType: "text/event-stream")] + events.map { .write($0) }
        + [.write("event: complete\ndata:\n\n"), .close]
    } _: { server async throws in
      var configuration = ApolloClient.Configuration(url: try #require(URL(string: server.address)))
      configuration.http.graphQLInterceptors = [OmittingInterceptor(usesSequence: usesSequence)]
      let client = ApolloClient(configuration: configuration)
      var counts: [Int?] = []
      for try await event in client.subscribe(to: CountSubscription()) { counts.append(event.data?.count) }
      #expect(counts == [1, 3])
    }
  }
}
