#if AsyncHTTP
  public import Apollo
  public import AsyncHTTPClient
  public import Foundation
  import NIOCore
  import NIOHTTP1
  import NIOHTTPCompression
  import NIOPosix
  public import NIOSSL

  #if canImport(FoundationNetworking)
    public import FoundationNetworking
  #endif

  /// Sends requests with swift-server's AsyncHTTPClient, in place of Foundation's `URLSession`. It needs the package's
  /// trait `AsyncHTTP`.
  ///
  /// It is meant for Linux. There it can read responses that Foundation cannot, supports HTTP/2, and sends files in
  /// pieces.
  ///
  ///     var configuration = ApolloClient.Configuration(url: url)
  ///     configuration.http.session = AsyncHTTPSession()
  ///
  /// The `timeoutInterval` of a request holds for each step: until the response begins, until its next piece arrives,
  /// and until the server takes the next piece of a large body. A body is read as fast as it is used. A request ends if
  /// its body is no longer read, or if its task is cancelled. Errors are of the type `URLError`.
  ///
  /// Redirects are followed as an `OriginPolicy` of Apollo allows it: by default within one origin. Those with status 307
  /// and 308 are sent method and body again. 301, 302 and 303 would turn a `POST` into a `GET` without the operation: that
  /// is an error. How much a server may send is limited by `ResponseLimits` of Apollo. Both errors are Apollo's own.
  ///
  /// There is no cache and no cookie store, and authentication challenges are not answered: an operation must bring its
  /// own header fields.
  public final class AsyncHTTPSession: ApolloURLSession, TrustingSession {
    let client: HTTPClient
    let maximumRedirects: Int
    let origins: OriginPolicy
    let limits: ResponseLimits
    /// Whether the client unpacks no more than the limits allow.
    let unpacksWithinLimits: Bool
    private let isOwn: Bool
    package let trustsAsTheSystem: Bool

    /// Makes a session with connections of its own. They are closed when the session, and all that it sends, have
    /// ended.
    ///
    /// - Parameters:
    ///   - configuration: Timeouts, roots that are trusted, certificates, proxy, connections. Its
    ///     `redirectConfiguration` is not used: the session follows redirects itself. Its `decompression` limits what is
    ///     unpacked, besides `limits`. TLS before 1.2 is not spoken, whatever its `tlsConfiguration` says (RFC 8996). nil,
    ///     the default: ``defaultConfiguration``, which unpacks as much as `limits` allow.
    ///   - maximumRedirects: How often a request may be sent elsewhere; with 0, a redirect is the response.
    ///   - origins: Where redirects may lead. By default they may lead to the origin of the request only.
    ///   - limits: How much a server may send. By default 64 MiB, and 1 MiB for an error. If a server compresses the
    ///     events of a subscription, all of them together may have `responseSize`.
    ///   - verify: Decides about the certificate of a server that is trusted otherwise: it throws to refuse the server.
    ///     Use it to accept known keys only (pinning). It is called for each connection, before anything of a request is
    ///     sent, on a thread of the network, so it must not wait. With it, nothing is sent without TLS. nil, the default:
    ///     such a server is accepted.
    public init(
      configuration: HTTPClient.Configuration? = nil, maximumRedirects: Int = 16,
      origins: OriginPolicy = OriginPolicy(), limits: ResponseLimits = ResponseLimits(),
      verify: (@Sendable (NIOSSLCertificate) throws -> Void)? = nil
    ) {
      unpacksWithinLimits = configuration == nil
      var configuration =
        configuration ?? Self.makeConfiguration(unpacking: Swift.max(limits.responseSize, limits.errorSize))
      configuration.redirectConfiguration = .disallow
      configuration.checkResponses()
      let standard = TLSConfiguration.makeClientConfiguration()
      trustsAsTheSystem = verify == nil && configuration.tlsConfiguration?.trusts(like: standard) ?? true
      configuration.tlsConfiguration = (configuration.tlsConfiguration ?? standard).withoutObsoleteVersions
      if let verify {
        configuration.verifyServers(verify)
        // (Apple's network framework would check certificates in a way of its own.)
        client = HTTPClient(eventLoopGroup: MultiThreadedEventLoopGroup.singleton, configuration: configuration)
      } else {
        client = HTTPClient(configuration: configuration)
      }
      self.maximumRedirects = maximumRedirects
      self.origins = origins
      self.limits = limits
      isOwn = true
    }

    /// Makes a session that sends by a client of the app's, which the app shuts down itself. The client's configuration
    /// decides which servers and which versions of TLS are accepted; AsyncHTTPClient's default begins at TLS 1.0.
    ///
    /// - Parameters:
    ///   - client: Unless its `redirectConfiguration` is `.disallow`, it follows redirects itself, by its own rules.
    ///     Unless its `decompression` is enabled, responses must not be compressed. A server can stop the process inside of
    ///     AsyncHTTPClient by a status below 100, and over HTTP/2 by a response that is complete before a large body was
    ///     sent; only a session that makes its client itself stands in front of that.
    ///   - maximumRedirects: How often a request may be sent elsewhere; with 0, a redirect is the response.
    ///   - origins: Where redirects may lead. By default they may lead to the origin of the request only.
    ///   - limits: How much a server may send. By default 64 MiB, and 1 MiB for an error.
    public init(
      client: HTTPClient, maximumRedirects: Int = 16, origins: OriginPolicy = OriginPolicy(),
      limits: ResponseLimits = ResponseLimits()
    ) {
      self.client = client
      self.maximumRedirects = maximumRedirects
      self.origins = origins
      self.limits = limits
      unpacksWithinLimits = false
      isOwn = false
      trustsAsTheSystem = false
    }

    deinit { invalidate() }

    /// What a session has by default, to be changed by an app.
    ///
    /// HTTP/2 where a server offers it over TLS; at most 64 connections to a server without it, so that subscriptions
    /// leave some to other operations; a server that cannot be reached is an error at once; compressed responses of at
    /// most 64 MiB.
    public static var defaultConfiguration: HTTPClient.Configuration {
      makeConfiguration(unpacking: ResponseLimits().responseSize)
    }

    private static func makeConfiguration(unpacking limit: Int) -> HTTPClient.Configuration {
      var configuration = HTTPClient.Configuration(
        timeout: HTTPClient.Configuration.Timeout(connect: .seconds(60)), decompression: .enabled(limit: .size(limit)))
      configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 64
      configuration.connectionPool.retryConnectionEstablishment = false
      return configuration
    }

    /// Ends all requests and closes the connections; later requests fail. A client that the app passed in is not shut
    /// down.
    ///
    /// It returns at once. It need not be called: releasing the last reference to the session has this effect, too.
    public func invalidate() {
      if isOwn { client.shutdown { _ in } }
    }

    /// Sends a request, and returns as soon as the response begins.
    ///
    /// - Throws: A `URLError`; an `ApolloError` for a redirect that is not followed and for a response that is too large;
    ///   if the task is cancelled, a `CancellationError`.
    public func chunks(for request: URLRequest) async throws -> (any AsyncChunkSequence, URLResponse) {
      let body = try request.httpBodyStream.map { try Data(readingFrom: $0) } ?? request.httpBody ?? Data()
      return try await Response.begin(Exchange(request, body: RequestBody(body), over: self))
    }

    /// Sends a request whose body is read from a file piece by piece, while it is sent.
    ///
    /// - Throws: A `URLError`; an `ApolloError` for a redirect that is not followed and for a response that is too large;
    ///   if the file cannot be read, an error with its path; if the task is cancelled, a `CancellationError`.
    public func chunks(
      for request: URLRequest, fromFile file: URL
    ) async throws -> (any AsyncChunkSequence, URLResponse) {
      try await Response.begin(Exchange(request, body: RequestBody(file: file), over: self))
    }
  }

  /// A response that is being read. The exchange ends with it.
  private final class Response: Sendable {
    private let parts: Rendezvous<Exchange.Part>
    private let task: Task<Void, Never>

    private init(_ exchange: Exchange) {
      parts = exchange.parts
      task = Task { await exchange.run() }
    }

    deinit { task.cancel() }

    static func begin(_ exchange: Exchange) async throws -> (any AsyncChunkSequence, URLResponse) {
      let response = Response(exchange)
      guard case .head(let head) = try await response.next() else { throw URLError(.badServerResponse) }
      let pieces = AsyncThrowingStream<Data, any Error> {
        guard case .piece(let data) = try await response.next() else { return nil }
        return data
      }
      return (ChunkedHTTPResponse.Chunks(pieces), head)
    }

    private func next() async throws -> Exchange.Part? {
      try await withTaskCancellationHandler {
        try await parts.next()
      } onCancel: {
        task.cancel()
      }
    }
  }

  extension Data {
    fileprivate init(readingFrom stream: InputStream) throws {
      self.init()
      stream.open()
      defer { stream.close() }
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = stream.read(&buffer, maxLength: buffer.count)
        guard count >= 0 else { throw stream.streamError ?? URLError(.requestBodyStreamExhausted) }
        guard count > 0 else { return }
        append(contentsOf: buffer.prefix(count))
      }
    }
  }
#endif
