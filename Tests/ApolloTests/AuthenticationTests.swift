import Apollo
import Foundation
import Logging
import ScriptedServer
import StyledTests
import Testing

@Suite("Authentication", .everyStyle)
struct AuthenticationTests {
  func options(_ authenticator: any Authenticator) -> DefaultInterceptorProvider.Options {
    var options = DefaultInterceptorProvider.Options()
    options.authenticator = authenticator
    return options
  }

  /// Gives the tokens `1`, `2`, and so on.
  func counting(_ calls: Locked<Int>, first: BearerTokenAuthenticator.Token? = nil) -> BearerTokenAuthenticator {
    BearerTokenAuthenticator(token: first) { _ in
      // A moment in which others come.
      for _ in 0..<1000 { await Task.yield() }
      return BearerTokenAuthenticator.Token("\(calls.withLock { $0 += 1; return $0 })")
    }
  }

  @Test("Many operations that need a token at the same time have it asked for once")
  func first() async throws {
    let calls = Locked(0)
    let requests = try await serve { _, _ in
      [.respond(hero())]
    } _: { server async throws in
      let client = client(server, provider: options(counting(calls)))
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<20 {
          group.addTask { _ = try await client.fetch(query: HeroQuery(episode: .some("\(number)"))) }
        }
        try await group.waitForAll()
      }
    }
    #expect(calls.withLock { $0 } == 1)
    #expect(requests.allSatisfy { $0.headers["authorization"] == "Bearer 1" })
  }

  @Test("A token that has expired is renewed before it is sent")
  func expired() async throws {
    let calls = Locked(0)
    let old = BearerTokenAuthenticator.Token("old", expiration: Date(timeIntervalSinceNow: 1))
    let requests = try await serve { _, _ in
      [.respond(hero())]
    } _: { server async throws in
      _ = try await client(server, provider: options(counting(calls, first: old))).fetch(query: HeroQuery())
    }
    #expect(requests.map { $0.headers["authorization"] } == ["Bearer 1"])
  }

  @Test(
    "A token that is refused is renewed once, however many operations it was refused to, and each is tried again",
    arguments: [
      (401, "{}"), (200, #"{"errors":[{"message":"who?","extensions":{"code":"UNAUTHENTICATED"}}],"data":null}"#),
    ])
  func refused(_ status: Int, _ body: String) async throws {
    let calls = Locked(0), refusals = Locked(0)
    let allAreThere = ScriptedServer.Gate()
    let requests = try await serve { _, request in
      if request.headers["authorization"] == "Bearer 1" { return [.respond(hero())] }
      let number = refusals.withLock { count in
        count += 1
        return count
      }
      if number == 6 { allAreThere.open() }
      return [.wait(allAreThere), .respond(body, status: status)]
    } _: { server async throws in
      let authenticator = counting(calls, first: BearerTokenAuthenticator.Token("old"))
      let client = client(server, provider: options(authenticator))
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<6 {
          group.addTask {
            let result = try await client.fetch(query: HeroQuery(episode: .some("\(number)")))
            #expect(result.data?.hero?.name == "R2-D2")
          }
        }
        try await group.waitForAll()
      }
    }
    #expect(calls.withLock { $0 } == 1)
    #expect(requests.count == 12)
  }

  @Test("A server that refuses the new token, too, is not asked a third time")
  func refusedAgain() async throws {
    let calls = Locked(0)
    let requests = try await serve { _, _ in
      [.respond("no", status: 401)]
    } _: { server async throws in
      let client = client(server, provider: options(counting(calls)))
      let error = await #expect(throws: OperationError.self) { try await client.fetch(query: HeroQuery()) }
      #expect(error?.httpStatus == 401)
    }
    #expect(requests.count == 2)
    #expect(calls.withLock { $0 } == 2)
  }

  @Test("A token that cannot be renewed is the operation's error")
  func renewalFails() async throws {
    struct SignedOut: Error {}
    let requests = try await serve { _, _ in
      [.respond("no", status: 401)]
    } _: { server async throws in
      let authenticator = BearerTokenAuthenticator(token: .init("old")) { _ in throw SignedOut() }
      let error = await #expect(throws: OperationError.self) {
        try await client(server, provider: options(authenticator)).fetch(query: HeroQuery())
      }
      #expect(error?.cause is SignedOut)
    }
    #expect(requests.count == 1)
  }
}

/// Keeps what is logged.
struct MemoryLog: LogHandler {
  let lines: Locked<[String]>
  var logLevel: Logger.Level = .trace
  var metadata: Logger.Metadata = [:]

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) { lines.withLock { $0.append("\(event.level): \(event.message)") } }
}

@Suite("Logging")
struct LoggingTests {
  func log(
    _ detail: LoggingInterceptor.Configuration.Detail, level: Logger.Level = .trace,
    _ steps: [ScriptedServer.Step]
  ) async throws -> String {
    let lines = Locked<[String]>([])
    let logger = Logger(label: "test") { _ in MemoryLog(lines: lines, logLevel: level) }
    var options = DefaultInterceptorProvider.Options()
    options.logging = { LoggingInterceptor(logger: logger, configuration: .init(detail: detail)) }
    try await serve { _, _ in
      steps
    } _: { server async throws in
      let client = client(server, provider: options, headers: ["Authorization": "Bearer hunter2", "X-Own": "own"])
      _ = try? await client.fetch(query: PasswordQuery(password: "hunter2"))
    }
    return lines.withLock { $0 }.joined(separator: "\n")
  }

  struct PasswordQuery: GraphQLQuery {
    static let operationName = "Password"
    static let operationDocument = OperationDocument(
      "query Password($password: String) { hero { __typename id name height } }")
    var password: String
    func __writeVariables(to writer: inout __JSONWriter) { writer.write("password", password) }
    typealias Data = HeroQuery.Data
  }

  let secretive = #"{"data":{"hero":{"__typename":"Droid","id":"1","name":"R2","height":1,"token":"hunter2"}}}"#

  @Test("Operations are logged with their address and how they ended")
  func operations() async throws {
    let text = try await log(.operations, [.respond(secretive)])
    #expect(text.contains("debug: query Password → http://127.0.0.1:"))
    #expect(text.contains("debug: query Password ← HTTP status 200, \(secretive.utf8.count) bytes in"))
    #expect(!text.contains("X-Own"))
  }

  @Test("Header fields and bodies are logged without what is secret in them")
  func redacted() async throws {
    let text = try await log(.bodies, [.respond(secretive, headers: ["Set-Cookie": "id=hunter2"])])
    #expect(text.contains("X-Own: own"))
    #expect(text.contains("Authorization: (secret)"))
    #expect(text.contains(#""password":"(secret)""#))
    #expect(text.contains(#""token":"(secret)""#))
    #expect(text.contains(#""name":"R2""#))
    #expect(!text.contains("hunter2"))
  }

  @Test("Failures are errors, errors in a response are warnings, and a quiet logger gets only those")
  func levels() async throws {
    #expect(try await log(.operations, level: .warning, [.respond(secretive)]) == "")
    let failure = try await log(.operations, level: .warning, [.respond("no", status: 500)])
    #expect(failure.contains("error: query Password ← failed after"))
    #expect(failure.contains("HTTP status 500"))
    let warning = try await log(.operations, level: .warning, [.respond(#"{"errors":[{"message":"a"}]}"#)])
    #expect(warning.contains("warning: query Password ← HTTP status 200"))
    #expect(warning.contains("error: a"))
  }
}
