import ApolloAsyncHTTP
import ApolloTestSupport
import Testing

/// (`HTTPSubject` is that of `Tests/TransportTests`.)
@Suite("What happens to an operation does not depend on what sends it", .timeLimit(.minutes(5)))
struct ConformanceTests {
  @Test(
    "Every transport of HTTP conforms over AsyncHTTPClient, with callers of every style",
    arguments: [HTTPSubject.Kind.chain, .subclass, .wrapped, .split], CallerStyle.allCases)
  func everything(kind: HTTPSubject.Kind, style: CallerStyle) async throws {
    let subject = HTTPSubject(kind, session: AsyncHTTPSession())
    #expect(subject.inabilities.isEmpty)
    for check in NetworkTransportConformance.allChecks {
      for failure in await check.run(style, over: subject) { Issue.record("\(check): \(failure)") }
    }
  }
}
