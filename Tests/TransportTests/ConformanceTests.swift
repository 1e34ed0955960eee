import Apollo
import ApolloSQLite
import ApolloTestSupport
import Foundation
import Testing

/// What a transport cannot do is a row of the table in `Docs/transports.md`.
@Suite("What happens to an operation does not depend on its transport")
struct ConformanceTests {
  @Test("Every transport, with callers of every style", arguments: subjects, CallerStyle.allCases)
  func everything(subject: NamedSubject, style: CallerStyle) async throws {
    for check in NetworkTransportConformance.allChecks {
      for failure in await check.run(style, over: subject.subject) {
        Issue.record("\(check): \(failure)")
      }
    }
  }

  @Test("Over HTTP and a WebSocket, with a cache in a file", arguments: CallerStyle.allCases)
  func onDisk(style: CallerStyle) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("transports-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, subject) in [
      ("http", HTTPSubject(.chain) as any TransportSubject), ("socket", WebSocketSubject(isSplit: false)),
    ] {
      for (number, check) in NetworkTransportConformance.allChecks.enumerated() {
        let cache = try SQLiteNormalizedCache(fileURL: folder.appendingPathComponent("\(name) \(number).sqlite"))
        for failure in await check.run(style, over: subject, store: ApolloStore(cache: cache)) {
          Issue.record("\(check), over \(name): \(failure)")
        }
      }
    }
  }

  @Test("The checks notice a transport that does not conform")
  func failing() async throws {
    let failing = await NetworkTransportConformance.allChecks.asyncFilter {
      await !$0.run(.awaited, over: CannedSubject(faulty: true)).isEmpty
    }
    #expect(failing.count > 10, "\(failing)")
  }

  struct NamedSubject: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let subject: any TransportSubject
  }

  static let subjects: [NamedSubject] = [
    NamedSubject(testDescription: "request chain", subject: HTTPSubject(.chain)),
    NamedSubject(testDescription: "an app's own interceptors", subject: HTTPSubject(.ownInterceptors)),
    NamedSubject(testDescription: "HTTPNetworkTransport", subject: HTTPSubject(.legacy)),
    NamedSubject(testDescription: "a subclass with its own send", subject: HTTPSubject(.subclass)),
    NamedSubject(testDescription: "an app's own transport around a chain", subject: HTTPSubject(.wrapped)),
    NamedSubject(testDescription: "the HTTP part of a split transport", subject: HTTPSubject(.split)),
    NamedSubject(testDescription: "WebSocket", subject: WebSocketSubject(isSplit: false)),
    NamedSubject(testDescription: "the WebSocket part of a split transport", subject: WebSocketSubject(isSplit: true)),
    NamedSubject(testDescription: "an app's own transport of bytes", subject: CannedSubject()),
    NamedSubject(
      testDescription: "an app's own transport of bytes, with errors of HTTP", subject: CannedSubject(failsAsHTTP: true)
    ),
  ]
}

extension Array {
  func asyncFilter(_ isIncluded: (Element) async -> Bool) async -> [Element] {
    var result: [Element] = []
    for element in self where await isIncluded(element) { result.append(element) }
    return result
  }
}
