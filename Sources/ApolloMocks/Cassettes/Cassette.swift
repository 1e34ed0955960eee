import ApolloAPI
public import ApolloCache
public import ApolloHTTP
import ApolloTransport
public import Foundation
import GraphQLExecution
import GraphQLSyntax

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// A connection that records what a server answers into a file, and plays it back without one.
///
///     let cassette = try Cassette(file: folder.appending(path: "hero.json"), over: URLSession.shared)
///     var configuration = ApolloClient.Configuration(url: url)
///     configuration.http.session = cassette
///     …
///     try cassette.save()
///
/// An operation is found by its name and its variables; the second time that it is sent, it is answered by its second
/// entry. What is not in the file is an error.
///
/// Of requests only the names and the variables of operations are recorded, so header fields with credentials never are.
/// Secrets are replaced in variables, in bodies and in header fields of responses:
/// - the leaves of members with a secret name, and of all that is inside of these: strings by `"REDACTED"`, numbers by 0.
///   Booleans stay
/// - in addresses (strings with `://`, and all header fields), the values of query items with a secret name
///
/// `Set-Cookie` and header fields with a secret name are left out. A body that has a secret name in JSON which cannot be
/// read is an error. Other bodies that are not JSON are recorded.
///
/// Names alone decide. A secret stays in the file if an alias hides the name of its field, or if it stands in the path of
/// an address, in the middle of another text, or in JSON inside of a string.
public final class Cassette: ApolloURLSession {
  /// Whether answers are recorded or played back.
  public enum Mode: Sendable, Hashable {
    /// They are recorded if the environment variable `APOLLO_RECORD` is set and not empty, and otherwise played back.
    case automatic
    /// Each request is sent to the server. The file is written anew by ``Cassette/save()``.
    case record
    /// Nothing is sent.
    case replay
  }

  private struct State {
    var entries: [CassetteEntry]
    /// The indices of the recorded entries that are to be in the file, because all of the response has come.
    var whole: Set<Int> = []
    /// How many of the entries of one operation were played.
    var played: [String: Int] = [:]
  }

  /// The file.
  public let file: URL
  /// Whether it records.
  public let isRecording: Bool
  private let session: (any ApolloURLSession)?
  private let redaction: Redaction
  private let keepsDelays: Bool
  private let clock: any ClientClock
  private let state: Locked<State>

  /// Makes a cassette.
  ///
  /// - Parameters:
  ///   - file: The file: one for each test, so that tests do not depend on each other.
  ///   - session: Sends the requests that are recorded, such as `URLSession.shared`. nil, the default: it cannot record.
  ///   - mode: Whether it records. By default the environment decides.
  ///   - secrets: The names of variables, members, query items and header fields whose values are not to be in the file.
  ///     By default ``usualSecrets``.
  ///   - keepsDelays: Whether the parts of an answer come with the delays that they had. The default is false: at once.
  ///   - clock: The time by which delays pass and entries are dated. The default is that of the device.
  /// - Throws: ``CassetteError`` if it plays back and the file cannot be read, is not a cassette, or is one of another version;
  ///   or if it is to record and has no session.
  public init(
    file: URL, over session: (any ApolloURLSession)? = nil, mode: Mode = .automatic,
    secrets: Set<String> = Cassette.usualSecrets, keepsDelays: Bool = false, clock: any ClientClock = .system
  ) throws {
    self.file = file
    self.session = session
    let redaction = Redaction(names: SecretNames(secrets))
    self.redaction = redaction
    self.keepsDelays = keepsDelays
    self.clock = clock
    let wish = ProcessInfo.processInfo.environment["APOLLO_RECORD"] ?? ""
    isRecording = mode == .record || mode == .automatic && !wish.isEmpty
    guard isRecording else {
      // (A cassette with other secrets has values in it that are not asked for.)
      let entries = try CassetteFile.read(file).map { entry in
        var entry = entry
        for index in entry.operations.indices {
          entry.operations[index].variables = redaction.value(entry.operations[index].variables)
        }
        return entry
      }
      state = Locked(State(entries: entries))
      return
    }
    guard session != nil else {
      throw CassetteError("\(file.path) cannot be recorded: the cassette has no session that sends requests.")
    }
    state = Locked(State(entries: []))
  }

  /// `token`, `accessToken`, `refreshToken`, `idToken`, `jwt`, `authorization`, `credential`, `sessionId`, `password`,
  /// `secret`, `apiKey`.
  ///
  /// Names are compared by their words: a name is secret if it has all words of one of these in a row, each perhaps with
  /// an `s`. So `oldPassword`, `auth_token`, `client-secret` and `passwordHash` are, and `secretary` is not.
  public static let usualSecrets: Set<String> = [
    "token", "accessToken", "refreshToken", "idToken", "jwt", "authorization", "credential", "sessionId", "password",
    "secret", "apiKey",
  ]

  /// Writes what was recorded into the file. A cassette that plays back writes nothing.
  ///
  /// A response that broke off, or that the app did not wait for, is not in the file. Of a subscription that the app has
  /// ended, the events until then are.
  ///
  /// - Throws: Why the file cannot be written.
  public func save() throws {
    guard isRecording else { return }
    let entries = state.withLock { state in
      state.entries.enumerated().filter { state.whole.contains($0.offset) }.map(\.element)
    }
    try CassetteFile.write(entries, to: file)
  }

  /// Sends a request and records its answer, or answers it.
  ///
  /// - Parameter request: The request with its body.
  /// - Returns: The body of the response, and an `HTTPURLResponse`.
  /// - Throws: ``CassetteError`` if the file has no answer, or what the session throws.
  public func chunks(for request: URLRequest) async throws -> (any AsyncChunkSequence, URLResponse) {
    let requests = try WireRequest(request).requests
    let operations = requests.map {
      CassetteEntry.Operation(
        name: $0.operationName, documentHash: $0.query.map(CassetteEntry.hash),
        variables: redaction.value(.object($0.variables)))
    }
    guard isRecording, let session else { return try replay(operations, request) }
    let isSubscription = requests.contains { $0.isOperation(.subscription) || $0.accepts("subscriptionSpec") }
    return try await record(operations, request, session, isSubscription: isSubscription)
  }

  // MARK: Recording

  private func record(
    _ operations: [CassetteEntry.Operation], _ request: URLRequest, _ session: any ApolloURLSession,
    isSubscription: Bool
  ) async throws -> (any AsyncChunkSequence, URLResponse) {
    let date = clock.date
    let (chunks, response) = try await session.chunks(for: request)
    guard let http = response as? HTTPURLResponse else { return (chunks, response) }
    let number = state.withLock { state in
      state.entries.append(
        CassetteEntry(
          operations: operations, at: date, status: http.statusCode, headers: shownHeaders(of: http), parts: []))
      return state.entries.count - 1
    }
    // (A subscription has an end only if the server gives it one.)
    if isSubscription { mark(number, isWhole: true) }
    let pieces = AsyncThrowingStream<Data, any Error>.running { [self] continuation in
      do {
        try await pass(chunks, to: continuation, entry: number, isSubscription: isSubscription)
      } catch {
        if !Task.isCancelled { mark(number, isWhole: false) }
        throw error
      }
    }
    return (ChunkedHTTPResponse.Chunks(pieces), response)
  }

  private func pass(
    _ chunks: some AsyncChunkSequence, to continuation: AsyncThrowingStream<Data, any Error>.Continuation, entry: Int,
    isSubscription: Bool
  ) async throws {
    var last = clock.now, body = Data(), balance = JSONBalance()
    for try await chunk in chunks {
      let now = clock.now
      body.append(chunk)
      for byte in chunk { balance.read(byte) }
      // A piece that ends inside of a character or an object is joined with the next one, so that secrets are found.
      if balance.holds, let text = String(data: body, encoding: .utf8) {
        try add(text, delay: (now - last) / .seconds(1), to: entry)
        // (A client that has all of a response does not wait for the end of the connection.)
        if !isSubscription, let isEnd = Self.endsResponse(text) { mark(entry, isWhole: isEnd) }
        (body, balance, last) = (Data(), JSONBalance(), now)
      } else if !isSubscription {
        mark(entry, isWhole: false)
      }
      continuation.yield(chunk)
    }
    // The app has stopped it, so this may not be the end.
    if Task.isCancelled { return }
    if !body.isEmpty {
      guard let text = String(data: body, encoding: .utf8) else {
        throw CassetteError("\(file.path): a body that is not UTF-8 cannot be recorded.")
      }
      try add(text, delay: 0, to: entry)
    }
    mark(entry, isWhole: true)
  }

  private func mark(_ entry: Int, isWhole: Bool) {
    state.withLock { state in
      _ = isWhole ? state.whole.insert(entry).inserted : state.whole.remove(entry) != nil
    }
  }

  /// Whether a response ends with the last object in a piece of its text: no parts are said to follow. nil if there is no
  /// object in it.
  private static func endsResponse(_ text: String) -> Bool? {
    let bytes = Array(text.utf8)
    var isEnd: Bool?, index = 0
    while let start = bytes[index...].firstIndex(of: UInt8(ascii: "{")),
      let end = JSONBalance.end(in: bytes[start...])
    {
      if let value = try? GraphQLValue(json: bytes[start..<end]) { isEnd = value["hasNext"]?.bool != true }
      index = end
    }
    return isEnd
  }

  private func add(_ text: String, delay: Double, to entry: Int) throws(CassetteError) {
    guard let body = redaction.body(text) else {
      throw CassetteError("\(file.path): a body with a secret cannot be recorded, because it is not JSON.")
    }
    state.withLock { $0.entries[entry].parts.append(CassetteEntry.Part(delay: delay, body: body)) }
  }

  private func shownHeaders(of response: HTTPURLResponse) -> [String: String] {
    let left: Set = [
      "set-cookie", "cookie", "authorization", "proxy-authorization", "content-length", "content-encoding",
    ]
    var headers: [String: String] = [:]
    for (name, value) in response.allHeaderFields {
      let name = "\(name)"
      if left.contains(name.lowercased()) || redaction.names.contains(name) { continue }
      headers[name] = redaction.query(in: "\(value)")
    }
    return headers
  }

  // MARK: Playing back

  private func replay(
    _ operations: [CassetteEntry.Operation], _ request: URLRequest
  ) throws -> (any AsyncChunkSequence, URLResponse) {
    let key = operations.map(\.key).joined(separator: "\n")
    let entry = try state.withLock { state throws(CassetteError) in
      let entries = state.entries.filter { $0.operations.map(\.key).joined(separator: "\n") == key }
      let number = state.played[key] ?? 0
      guard number < entries.count else { throw missing(operations, of: entries.count, state.entries) }
      state.played[key] = number + 1
      return entries[number]
    }
    for (asked, recorded) in zip(operations, entry.operations) {
      guard let hash = asked.documentHash, let known = recorded.documentHash, hash != known else { continue }
      throw CassetteError(
        "\(file.path): the document of \(asked.name) is not the one that was recorded. " + howToRecord)
    }
    guard
      let response = HTTPURLResponse(
        url: request.url ?? file, statusCode: entry.status, httpVersion: "HTTP/1.1", headerFields: entry.headers)
    else { throw CassetteError("\(file.path): the response to \(operations[0].name) has the status \(entry.status).") }
    let clock = clock, keepsDelays = keepsDelays
    let pieces = AsyncThrowingStream<Data, any Error>.running { continuation in
      for part in entry.parts {
        if keepsDelays, part.delay > 0 { try await clock.sleep(until: clock.now + .seconds(part.delay)) }
        continuation.yield(Data(part.body.utf8))
      }
    }
    return (ChunkedHTTPResponse.Chunks(pieces), response)
  }

  private func missing(
    _ operations: [CassetteEntry.Operation], of count: Int, _ entries: [CassetteEntry]
  ) -> CassetteError {
    let asked = operations.map { "\($0.name) \($0.variables.text)" }.joined(separator: ", ")
    let known = entries.map { $0.operations.map { "\($0.name) \($0.variables.text)" }.joined(separator: ", ") }
    return CassetteError(
      "\(file.path) has \(count == 0 ? "no answer" : "only \(count) answers") to \(asked). It has: "
        + (known.isEmpty ? "nothing" : known.joined(separator: "; ")) + ". " + howToRecord)
  }

  private var howToRecord: String { "To record it: APOLLO_RECORD=1 swift test, with a session that sends requests." }
}
