import ApolloAPI
public import ApolloCache
public import ApolloHTTP
import ApolloTransport
public import Foundation
import GraphQLExecution

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
/// An operation is found by its name and its variables; the second time that it is sent, it is answered by its second entry. What
/// is not in the file is an error. Requests are not recorded besides that, so credentials never are; of the header fields of
/// responses `Set-Cookie` and those that are named like credentials are left out.
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
    /// How many of the entries of one operation were played.
    var played: [String: Int] = [:]
  }

  /// The file.
  public let file: URL
  /// Whether it records.
  public let isRecording: Bool
  private let session: (any ApolloURLSession)?
  private let secrets: Set<String>
  private let keepsDelays: Bool
  private let clock: any ClientClock
  private let state: Locked<State>

  /// Makes a cassette.
  ///
  /// - Parameters:
  ///   - file: The file: one for each test, so that tests do not depend on each other.
  ///   - session: Sends the requests that are recorded, such as `URLSession.shared`. nil, the default: it cannot record.
  ///   - mode: Whether it records. By default the environment decides.
  ///   - secrets: The names of variables, and of members in bodies, whose values are replaced by `"REDACTED"` in the file. By
  ///     default those of tokens and passwords.
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
    self.secrets = Set(secrets.map { $0.lowercased() })
    self.keepsDelays = keepsDelays
    self.clock = clock
    let wish = ProcessInfo.processInfo.environment["APOLLO_RECORD"] ?? ""
    isRecording = mode == .record || mode == .automatic && !wish.isEmpty
    guard isRecording else {
      state = Locked(State(entries: try CassetteFile.read(file)))
      return
    }
    guard session != nil else {
      throw CassetteError("\(file.path) cannot be recorded: the cassette has no session that sends requests.")
    }
    state = Locked(State(entries: []))
  }

  /// `token`, `accessToken`, `refreshToken`, `idToken`, `password`, `secret`, `apiKey`: names are compared without regard to
  /// upper and lower case.
  public static let usualSecrets: Set<String> = [
    "token", "accessToken", "refreshToken", "idToken", "password", "secret", "apiKey",
  ]

  /// Writes what was recorded into the file. A cassette that plays back writes nothing.
  ///
  /// - Throws: Why the file cannot be written.
  public func save() throws {
    guard isRecording else { return }
    try CassetteFile.write(state.withLock { $0.entries }, to: file)
  }

  /// Sends a request and records its answer, or answers it.
  ///
  /// - Parameter request: The request with its body.
  /// - Returns: The body of the response, and an `HTTPURLResponse`.
  /// - Throws: ``CassetteError`` if the file has no answer, or what the session throws.
  public func chunks(for request: URLRequest) async throws -> (any AsyncChunkSequence, URLResponse) {
    let operations = try WireRequest(request).requests.map {
      CassetteEntry.Operation(
        name: $0.operationName, documentHash: $0.query.map(CassetteEntry.hash),
        variables: redacted(.object($0.variables)))
    }
    guard isRecording, let session else { return try replay(operations, request) }
    return try await record(operations, request, session)
  }

  // MARK: Recording

  private func record(
    _ operations: [CassetteEntry.Operation], _ request: URLRequest, _ session: any ApolloURLSession
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
    let pieces = AsyncThrowingStream<Data, any Error>.running { [self] continuation in
      try await pass(chunks, to: continuation, entry: number)
    }
    return (ChunkedHTTPResponse.Chunks(pieces), response)
  }

  private func pass(
    _ chunks: some AsyncChunkSequence, to continuation: AsyncThrowingStream<Data, any Error>.Continuation, entry: Int
  ) async throws {
    var last = clock.now, body = Data()
    for try await chunk in chunks {
      let now = clock.now
      body.append(chunk)
      // A piece that ends inside of a character or an object is joined with the next one, so that secrets are found.
      if JSONBalance.holds(in: body) {
        try add(body, delay: (now - last) / .seconds(1), to: entry)
        body = Data()
        last = now
      }
      continuation.yield(chunk)
    }
    if !body.isEmpty { try add(body, delay: 0, to: entry) }
  }

  private func add(_ body: Data, delay: Double, to entry: Int) throws(CassetteError) {
    guard let text = String(data: body, encoding: .utf8) else {
      throw CassetteError("\(file.path): a body that is not UTF-8 cannot be recorded.")
    }
    let part = CassetteEntry.Part(delay: delay, body: try redacted(text))
    state.withLock { $0.entries[entry].parts.append(part) }
  }

  private func shownHeaders(of response: HTTPURLResponse) -> [String: String] {
    var headers: [String: String] = [:]
    for (name, value) in response.allHeaderFields {
      let name = "\(name)", lower = name.lowercased()
      let isSecret =
        ["set-cookie", "cookie", "authorization", "proxy-authorization", "content-length", "content-encoding"].contains(
          lower)
        || secrets.contains { lower.contains($0) }
      if !isSecret { headers[name] = "\(value)" }
    }
    return headers
  }

  /// A text without secrets. If it is not JSON as a whole, its objects are the messages of a stream, each on a line.
  private func redacted(_ text: String) throws(CassetteError) -> String {
    guard hasSecrets(text) else { return text }
    if let value = try? GraphQLValue(json: Array(text.utf8)) { return redacted(value).text }
    var lines: [String] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      guard hasSecrets(String(line)) else {
        lines.append(String(line))
        continue
      }
      guard let start = line.firstIndex(of: "{"), let end = line.lastIndex(of: "}"), start < end,
        let value = try? GraphQLValue(json: Array(line[start...end].utf8))
      else { throw CassetteError("\(file.path): a body with a secret cannot be recorded, because it is not JSON.") }
      lines.append(line[..<start] + redacted(value).text + line[line.index(after: end)...])
    }
    return lines.joined(separator: "\n")
  }

  private func hasSecrets(_ text: String) -> Bool {
    let lower = text.lowercased()
    return secrets.contains { lower.contains("\"\($0)\"") }
  }

  private func redacted(_ value: GraphQLValue) -> GraphQLValue {
    switch value {
    case .list(let elements): .list(elements.map(redacted))
    case .object(let members):
      .object(
        GraphQLValue.Object(
          members.map { name, value in
            (name, secrets.contains(name.lowercased()) && !value.isNull ? "REDACTED" : redacted(value))
          }))
    default: value
    }
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
    if let hash = operations.first?.documentHash, let recorded = entry.operations.first?.documentHash, hash != recorded
    {
      throw CassetteError(
        "\(file.path): the document of \(operations[0].name) is not the one that was recorded. " + howToRecord)
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
