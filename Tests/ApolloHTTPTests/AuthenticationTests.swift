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
      (401, "{}", "application/json"),
      (200, #"{"errors":[{"message":"no","extensions":{"code":"UNAUTHENTICATED"}}],"data":null}"#, "application/json"),
      (401, #"{"errors":[{"message":"who?"}]}"#, "application/graphql-response+json"),
      (401, #"{"message":"expired"}"#, "application/graphql-response+json"),
      (401, "", "application/graphql-response+json"),
      (401, #"{"data":null}"#, "application/graphql-response+json"),
    ])
  func refused(_ status: Int, _ body: String, _ type: String) async throws {
    let calls = Locked(0), refusals = Locked(0)
    let allAreThere = ScriptedServer.Gate()
    let requests = try await serve { _, request in
      if request.headers["authorization"] == "Bearer 1" { return [.respond(hero())] }
      let number = refusals.withLock { count in
        count += 1
        return count
      }
      if number == 6 { allAreThere.open() }
      return [.wait(allAreThere), .respond(body, status: status, contentType: type)]
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

  struct PayMutation: GraphQLMutation {
    static let operationName = "Pay"
    static let operationDocument = OperationDocument("mutation Pay { pay log }")

    struct Data: SelectionSet, Hashable {
      var pay: String?
      var log: String?
      static let __fields = __FieldTable(version: 1, "pay log")
      init(__reading object: inout __ObjectReader) throws(__ReadError) {
        pay = try object.read(0)
        log = try object.read(1)
      }
      func __writeFields(to writer: inout __JSONWriter) {
        writer.write(0, pay)
        writer.write(1, log)
      }
    }
  }

  /// The answer to a mutation that was executed in part.
  private let paid =
    #"{"errors":[{"message":"who?","path":["log"],"extensions":{"code":"UNAUTHENTICATED"}}],"#
    + #""data":{"pay":"paid","log":null}}"#

  @Test("A mutation that was executed in part is sent again only if it may run twice", arguments: [false, true])
  func executedInPart(_ isRepeatable: Bool) async throws {
    let calls = Locked(0)
    let requests = try await serve { [paid] _, _ in
      [.respond(paid)]
    } _: { server async throws in
      let authenticator = counting(calls, first: BearerTokenAuthenticator.Token("old"))
      let result = try await client(server, provider: options(authenticator)).perform(
        mutation: PayMutation(), requestConfiguration: RequestConfiguration(isRepeatable: isRepeatable))
      #expect(result.data?.pay == "paid")
      #expect(result.errors?.count == 1)
    }
    let sent: [String?] = isRepeatable ? ["Bearer old", "Bearer 1"] : ["Bearer old"]
    #expect(requests.map { $0.headers["authorization"] } == sent)
    #expect(calls.withLock { $0 } == 1)
  }

  @Test("So is one whose answer is an error because of its status", arguments: [false, true])
  func executedWithStatus(_ isRepeatable: Bool) async throws {
    let calls = Locked(0)
    let requests = try await serve { [paid] _, _ in
      [.respond(paid, status: 401)]
    } _: { server async throws in
      let authenticator = counting(calls, first: BearerTokenAuthenticator.Token("old"))
      let error = await #expect(throws: OperationError.self) {
        try await client(server, provider: options(authenticator)).perform(
          mutation: PayMutation(), requestConfiguration: RequestConfiguration(isRepeatable: isRepeatable))
      }
      #expect(error?.httpStatus == 401 && error?.graphQLErrors.map(\.message) == ["who?"])
    }
    let sent: [String?] = isRepeatable ? ["Bearer old", "Bearer 1"] : ["Bearer old"]
    #expect(requests.map { $0.headers["authorization"] } == sent)
    #expect(calls.withLock { $0 } == 1)
  }

  @Test("The result of a mutation that was executed in part is told also if the token cannot be renewed")
  func executedWithoutRenewal() async throws {
    struct SignedOut: Error {}
    try await serve { [paid] _, _ in
      [.respond(paid)]
    } _: { server async throws in
      let authenticator = BearerTokenAuthenticator(token: .init("old")) { _ in throw SignedOut() }
      let result = try await client(server, provider: options(authenticator)).perform(mutation: PayMutation())
      #expect(result.data?.pay == "paid" && result.errors?.count == 1)
    }
  }

  @Test("A header field of an operation stays in place of the token, and nothing is renewed when that is refused")
  func ownField() async throws {
    let calls = Locked(0)
    let requests = try await serve { _, request in
      [.respond(hero(), status: request.headers["authorization"] == "Bearer old" ? 200 : 401)]
    } _: { server async throws in
      let client = client(
        server, provider: options(counting(calls, first: BearerTokenAuthenticator.Token("old"))))
      let own = RequestConfiguration(headers: ["authorization": "Basic own"])
      let error = await #expect(throws: OperationError.self) {
        try await client.fetch(query: HeroQuery(), requestConfiguration: own)
      }
      #expect(error?.httpStatus == 401)
      _ = try await client.fetch(query: HeroQuery())
    }
    #expect(requests.map { $0.headers["authorization"] } == ["Basic own", "Bearer old"])
    #expect(calls.withLock { $0 } == 0)
  }

  @Test("An answer that refuses the token is not written: the guess of a mutation goes on, and its real data counts")
  func refusedGuess() async throws {
    let refusal =
      #"{"errors":[{"message":"who?","path":["rename"],"extensions":{"code":"UNAUTHENTICATED"}}],"data":{"rename":null}}"#
    let own = Locked<ApolloClient?>(nil), seen = Locked<[String?]>([])
    let authenticator = BearerTokenAuthenticator(token: .init("old")) { _ in
      let name = try await own.withLock { $0 }?.store.load(HeroQuery()).hero?.name
      seen.withLock { $0.append(name) }
      return BearerTokenAuthenticator.Token("new")
    }
    _ = try await serve { _, request in
      let isKnown = request.headers["authorization"] == "Bearer new"
      if request.body.contains("rename") { return [.respond(isKnown ? hero("new", field: "rename") : refusal)] }
      return [.respond(hero())]
    } _: { server async throws in
      let client = client(server, provider: options(authenticator))
      own.withLock { $0 = client }
      defer { own.withLock { $0 = nil } }
      _ = try await client.fetch(query: HeroQuery())
      let guess = DataDict(data: ["__typename": "Droid", "id": "2001", "name": "guess"])
      let result = try await client.perform(
        mutation: RenameMutation(), optimisticData: .init(_dataDict: DataDict(data: ["rename": guess])),
        update: { _, data in seen.withLock { $0.append(data.rename.name) } })
      #expect(result.data?.rename.name == "new" && result.errors == nil)
    }
    #expect(seen.withLock { $0 } == ["guess", "new"])
  }

  @Test(
    "A renewal by the same client is sent without credentials, and does not wait for itself",
    .timeLimit(.minutes(5)), arguments: [false, true])
  func sameClient(_ isExpired: Bool) async throws {
    let own = Locked<ApolloClient?>(nil)
    let old = BearerTokenAuthenticator.Token("old", expiration: isExpired ? Date(timeIntervalSinceNow: 1) : nil)
    let authenticator = BearerTokenAuthenticator(token: old) { _ in
      let client = own.withLock { $0 }
      let name = try await client?.perform(mutation: RenameMutation()).data?.rename.name
      return BearerTokenAuthenticator.Token(name ?? "none")
    }
    let requests = try await serve { _, request in
      if request.body.contains("rename") { return [.respond(hero("new", field: "rename"))] }
      return [.respond(hero(), status: request.headers["authorization"] == "Bearer new" ? 200 : 401)]
    } _: { server async throws in
      let client = client(server, provider: options(authenticator))
      own.withLock { $0 = client }
      defer { own.withLock { $0 = nil } }
      #expect(try await client.fetch(query: HeroQuery()).data?.hero?.name == "R2-D2")
    }
    let renewal: [String?] = [nil, "Bearer new"]
    #expect(requests.map { $0.headers["authorization"] } == (isExpired ? renewal : ["Bearer old"] + renewal))
  }
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

  struct NameAuthenticator: Authenticator {
    func credentials() async throws -> [String: String] { ["X-Who": "hunter2"] }
    func renew(refused: [String: String]) async throws -> Bool { false }
  }

  @Test("Header fields are secret if their names say so, or if an authenticator gives them")
  func suspects() async throws {
    let lines = Locked<[String]>([])
    let logger = Logger(label: "test") { _ in MemoryLog(lines: lines) }
    var options = DefaultInterceptorProvider.Options()
    options.logging = { LoggingInterceptor(logger: logger, configuration: .init(detail: .headers)) }
    options.authenticator = NameAuthenticator()
    let names = ["X-Shop-Token", "Client-SECRET", "X-Function-Key", "X-Auth", "X-Session-Id", "X-Password"]
    var fields = ["X-Own": "own"]
    for name in names { fields[name] = "hunter2" }
    try await serve { _, _ in
      [.respond(hero(), headers: ["X-Next-Session": "hunter2"])]
    } _: { server async throws in
      _ = try await client(server, provider: options, headers: fields).fetch(query: HeroQuery())
    }
    let text = lines.withLock { $0 }.joined(separator: "\n")
    for name in names + ["X-Who"] { #expect(text.contains("\(name): (secret)"), "\(name)") }
    #expect(text.contains("X-Own: own"))
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
