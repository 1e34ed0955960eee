import Apollo
import ApolloAPI
import ApolloCache
import Foundation
import Logging

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The settings with which each new connection is opened. The app may change them at any time.
struct ConnectionSettings: Sendable {
  /// The object that has the address and the header fields of the handshake.
  enum Target: Sendable {
    case own(URL?, headers: [String: String])
    /// The request of a socket, which the app may change.
    case websocket(WebSocket)
  }

  private var target: Target
  let subprotocols: [WebSocketSubprotocol]
  let engine: any WebSocketEngine
  var payload: WebSocketTransport.ConnectingPayload
  let authenticator: (any Authenticator)?
  let credentialsPlacement: WebSocketTransport.CredentialsPlacement
  var clientName: String
  var clientVersion: String
  /// The credentials of the last attempt to connect.
  private var credentials: [String: String] = [:]
  /// The changes of the payload, and those of what the handshake says, for which a connection is replaced.
  var payloadChanges = ChangeCount(), handshakeChanges = ChangeCount()
  /// The address for which a warning of credentials without encryption was logged.
  private var warnedOf: URL?
  /// The payload and the header fields that the transport was made with.
  private let first: (payload: WebSocketTransport.ConnectingPayload, headers: [String: String])

  init(_ target: Target, engine: any WebSocketEngine, _ configuration: WebSocketTransport.Configuration) {
    self.target = target
    self.engine = engine
    subprotocols = configuration.subprotocols
    payload = configuration.connectingPayload
    switch target {
    case .own(_, let headers): first = (payload, headers)
    case .websocket(let socket): first = (payload, socket.request.allHTTPHeaderFields ?? [:])
    }
    authenticator = configuration.authenticator
    credentialsPlacement = configuration.credentialsPlacement
    clientName = configuration.clientName
    clientVersion = configuration.clientVersion
  }

  /// The address; nil for a request without one, with which the first connection fails.
  var url: URL? {
    switch target {
    case .own(let url, _): url
    case .websocket(let socket): socket.request.url
    }
  }

  private var headers: [String: String] {
    switch target {
    case .own(_, let headers): return headers
    case .websocket(let socket):
      var headers = socket.request.allHTTPHeaderFields ?? [:]
      // The engine adds this field itself.
      headers.setHeader(WebSocket.protocolHeader, to: nil)
      return headers
    }
  }

  /// Forgets what the user's connections were opened with.
  ///
  /// - Returns: The settings without it.
  static func forgetUser(_ settings: Locked<ConnectionSettings>) -> ConnectionSettings {
    let current = settings.withLock { settings in
      settings.credentials = [:]
      settings.payload = settings.first.payload
      if case .own(let url, _) = settings.target { settings.target = .own(url, headers: settings.first.headers) }
      return settings
    }
    if case .websocket(let socket) = current.target {
      socket.changeRequest { $0.replaceHeaders(with: current.first.headers) }
    }
    return current
  }

  /// Whether an attempt to connect has read a part of the settings before that was changed.
  func haveChanged(since attempt: Int) -> Bool {
    payloadChanges.haveMore(than: attempt) || handshakeChanges.haveMore(than: attempt)
  }

  /// Changes the settings of the next connection.
  static func change(_ settings: Locked<ConnectionSettings>, url: URL? = nil, headers: [String: String?] = [:]) {
    // (Before the change, so that no attempt to connect has it and does not set it.)
    (settings.withLock { $0.engine } as? WebSocketClientEngine)?.noteChange(of: headers.keys)
    let socket = settings.withLock { settings -> WebSocket? in
      switch settings.target {
      case .own(let oldURL, var fields):
        for (name, value) in headers { fields.setHeader(name, to: value) }
        settings.target = .own(url ?? oldURL, headers: fields)
        return nil
      case .websocket(let socket): return socket
      }
    }
    socket?.changeRequest { request in
      for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
      request.url = url ?? request.url
    }
  }

  static func connect(
    _ settings: Locked<ConnectionSettings>, attempt: Int
  ) async throws -> ConnectionDriver.OpenConnection {
    let credentials = try await credentials(settings)
    let payload = try await payload(settings, attempt: attempt)
    // Neither an authenticator nor a closure of the app may have looked.
    try Task.checkCancellation()
    let current = settings.withLock { settings in
      settings.credentials = credentials
      settings.handshakeChanges.noteReading(by: attempt)
      return settings
    }
    let url = try current.socketURL(), fields = current.handshakeHeaders
    if let warning = Self.warning(of: credentials, fields, at: url) {
      let isNew = settings.withLock { settings in
        defer { settings.warnedOf = url }
        return settings.warnedOf != url
      }
      if isNew { logger.warning("\(warning)") }
    }
    let connection = try await current.engine.connect(
      to: url, headers: fields, subprotocols: current.subprotocols.map(\.rawValue))
    guard let chosen = connection.subprotocol.flatMap(WebSocketSubprotocol.init(rawValue:)),
      current.subprotocols.contains(chosen)
    else {
      connection.close(code: .protocolError, reason: "Subprotocol not acceptable")
      throw WebSocketError(.subprotocolMismatch(chosen: connection.subprotocol))
    }
    return ConnectionDriver.OpenConnection(connection, chosen, payload: current.payloadJSON(payload))
  }

  private static let logger = Logger(label: "apollo")

  /// What is logged if each machine on the way can read the credentials; nil if there are none, or if they do not leave
  /// this machine.
  static func warning(of credentials: [String: String], _ fields: [String: String], at url: URL) -> String? {
    guard url.scheme == "ws", let origin = Origin(url), !origin.isLoopback else { return nil }
    let secret = LoggingInterceptor.Configuration().secretHeaders.subtracting(credentials.keys.map { $0.lowercased() })
    let names = credentials.keys + fields.keys.filter { secret.contains($0.lowercased()) }
    guard !names.isEmpty else { return nil }
    return "\(names.sorted().joined(separator: ", ")) is sent to \(url.placeDescription) without encryption, so each "
      + "machine on the way can read it. Use wss."
  }

  /// - Returns: False if there are no other credentials than those of the last attempt to connect.
  static func renewCredentials(_ settings: Locked<ConnectionSettings>) async throws -> Bool {
    let (authenticator, refused) = settings.withLock { ($0.authenticator, $0.credentials) }
    return try await authenticator?.renew(refused: refused) ?? false
  }

  private static func credentials(_ settings: Locked<ConnectionSettings>) async throws -> [String: String] {
    do {
      return try await settings.withLock { $0.authenticator }?.credentials() ?? [:]
    } catch {
      throw WebSocketError.wrap(error, as: .credentials)
    }
  }

  private static func payload(
    _ settings: Locked<ConnectionSettings>, attempt: Int
  ) async throws -> JSONObject? {
    let payload = settings.withLock { settings in
      settings.payloadChanges.noteReading(by: attempt)
      return settings.payload
    }
    do {
      switch payload {
      case .none: return nil
      case .value(let object): return object
      case .perConnection(let compute): return try await compute()
      }
    } catch {
      throw WebSocketError(.connectingPayload, error: error)
    }
  }

  private var handshakeHeaders: [String: String] {
    var fields = ClientAwarenessMetadata(clientApplicationName: clientName, clientApplicationVersion: clientVersion)
      .headerFields
    fields.setHeaders(headers)
    if credentialsPlacement == .headers { fields.setHeaders(credentials) }
    return fields
  }

  private func payloadJSON(_ payload: JSONObject?) -> [UInt8]? {
    var payload = payload
    if credentialsPlacement == .connectingPayload, !credentials.isEmpty {
      payload = (payload ?? [:]).merging(credentials) { _, credential in credential }
    }
    return payload.map { payload in
      var writer = __JSONWriter()
      writer.writeJSON(payload)
      return writer.bytes
    }
  }

  /// The address, which may be the one that HTTP uses.
  private func socketURL() throws -> URL {
    try .ofSocket(url)
  }
}

/// Counts the changes of a part of the settings, and notes how many of them the latest attempt to connect has read.
struct ChangeCount: Sendable {
  private var changes = 0
  private var reading = (attempt: 0, changes: 0)

  mutating func add() { changes += 1 }

  /// Notes that an attempt reads the part now. (One that was replaced may come after its successor.)
  mutating func noteReading(by attempt: Int) {
    if attempt > reading.attempt { reading = (attempt, changes) }
  }

  /// Whether there are more changes than an attempt has read. One that has read none yet will read all of them.
  func haveMore(than attempt: Int) -> Bool { reading.attempt == attempt && reading.changes < changes }
}

extension URLRequest {
  /// Replaces all header fields.
  mutating func replaceHeaders(with fields: [String: String]) {
    for name in (allHTTPHeaderFields ?? [:]).keys { setValue(nil, forHTTPHeaderField: name) }
    for (name, value) in fields { setValue(value, forHTTPHeaderField: name) }
  }
}

extension URL {
  /// The address of a WebSocket, which may be given as the one that HTTP uses.
  static func ofSocket(_ address: URL?) throws -> URL {
    var parts = address.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true) }
    switch parts?.scheme?.lowercased() {
    case "ws", "http": parts?.scheme = "ws"
    case "wss", "https": parts?.scheme = "wss"
    default: parts = nil
    }
    guard let url = parts?.url, url.host?.isEmpty == false else {
      throw WebSocketError(
        .unsupportedURL("'\(address?.placeDescription ?? "")' is not the address of a WebSocket (ws, wss)."))
    }
    return url
  }
}
