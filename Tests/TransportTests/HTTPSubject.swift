import Apollo
import ApolloTestSupport
import ApolloWebSocket
import Foundation
import ScriptedServer

/// Transports over HTTP, with a server that answers in the forms of GraphQL over HTTP.
struct HTTPSubject: TransportSubject {
  enum Kind: Sendable {
    case chain, ownInterceptors, legacy, subclass, wrapped, split
  }

  let kind: Kind
  /// What it sends by; nil for what is there by default.
  let session: (any ApolloURLSession)?

  init(_ kind: Kind, session: (any ApolloURLSession)? = nil) {
    self.kind = kind
    self.session = session
  }

  var inabilities: [TransportAbility: String] {
    switch kind {
    case .chain, .subclass, .split, .wrapped: [:]
    case .ownInterceptors:
      [
        .retries: "The app has not put the interceptor into its chain.",
        .credentials: "The app has not put the interceptor into its chain.",
        .deduplication: "The app has not put it into its chain.",
      ]
    case .legacy:
      [
        .retries: "A delegate decides about retries.", .credentials: "A delegate decides about credentials.",
        .deduplication: "The transport of the first releases has no such thing.",
        .parts: "The transport of the first releases reads whole bodies.",
        .subscriptions: "The transport of the first releases reads whole bodies.",
      ]
    }
  }

  let sendsRetryAfter = true

  func withTransport(
    _ setup: TransportSetup, store: ApolloStore, answer: @escaping @Sendable (Int) -> ServerAnswer,
    _ body: (any NetworkTransport) async throws -> Void
  ) async throws {
    try await ScriptedServer.with { request in
      Self.steps(
        answer(0), isSubscription: request.body.contains("subscription "), retryAfter: setup.retryAfter)
    } _: { server in
      try await body(transport(setup, store, URL(string: server.address)!))
    }
  }

  private func transport(_ setup: TransportSetup, _ store: ApolloStore, _ url: URL) -> any NetworkTransport {
    var options = DefaultInterceptorProvider.Options()
    options.retry.retryRule = setup.retries ? .transientFailures : .never
    options.deduplicatesQueries = setup.deduplicatesQueries
    options.authenticator = setup.authenticator
    let provider =
      session.map { DefaultInterceptorProvider(session: $0, store: store, options: options) }
      ?? DefaultInterceptorProvider(store: store, options: options)
    switch kind {
    case .chain: return RequestChainNetworkTransport(interceptorProvider: provider, endpointURL: url)
    case .ownInterceptors:
      return RequestChainNetworkTransport(interceptorProvider: OwnInterceptors(store: store), endpointURL: url)
    case .legacy: return HTTPNetworkTransport(url: url)
    case .subclass: return OwnSend(interceptorProvider: provider, endpointURL: url)
    case .wrapped:
      return Wrapper(RequestChainNetworkTransport(interceptorProvider: provider, endpointURL: url))
    case .split:
      return SplitNetworkTransport(
        uploadingNetworkTransport: RequestChainNetworkTransport(interceptorProvider: provider, endpointURL: url),
        webSocketNetworkTransport: WebSocketTransport(
          url: url, configuration: WebSocketTransport.Configuration(connectOnInit: false)),
        usesWebSocket: { _, _ in false })
    }
  }

  private static func steps(
    _ answer: ServerAnswer, isSubscription: Bool, retryAfter: String?
  ) -> [ScriptedServer.Step] {
    switch answer {
    case .response(let body): [.respond(body)]
    case .status(let status, let body):
      [
        .respond(
          body, status: status, contentType: "text/plain", headers: retryAfter.map { ["Retry-After": $0] } ?? [:])
      ]
    case .brokenOff(let body, let count):
      [
        .begin(contentType: "application/json", headers: ["Content-Length": "\(body.utf8.count)"]),
        .writeBytes(Array(body.utf8.prefix(count))), .close,
      ]
    case .never: [.wait(ScriptedServer.Gate())]
    case .parts(let parts) where isSubscription:
      [.begin(contentType: "text/event-stream")] + parts.map { .write("event: next\ndata: \($0)\n\n") } + [
        .write("event: complete\ndata:\n\n"), .close,
      ]
    case .parts(let parts):
      [.begin(contentType: "multipart/mixed; boundary=\"-\"")]
        + parts.map { .write("\r\n---\r\nContent-Type: application/json\r\n\r\n\($0)") } + [
          .write("\r\n-----\r\n"), .close,
        ]
    case .endless(let body):
      [.begin(contentType: "text/event-stream")]
        + (0..<2000).flatMap { _ -> [ScriptedServer.Step] in
          [.write("event: next\ndata: \(body)\n\n"), .pause(milliseconds: 5)]
        }
    }
  }
}

/// A chain as apps have it, some of it with callbacks.
private final class OwnInterceptors: InterceptorProvider {
  private let client = URLSessionClient()
  private let store: ApolloStore

  init(store: ApolloStore) { self.store = store }

  deinit { client.invalidate() }

  func interceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any ApolloInterceptor] {
    [
      PassingInterceptor(), CacheReadInterceptor(store: store), PassingInterceptor(),
      NetworkFetchInterceptor(client: client),
      ResponseCodeInterceptor(), MultipartResponseParsingInterceptor(), PassingInterceptor(),
      JSONResponseParsingInterceptor(), CacheWriteInterceptor(store: store), PassingInterceptor(),
    ]
  }

  /// Goes on from another thread, and sees the result before the caller.
  private final class PassingInterceptor: ApolloInterceptor, Sendable {
    func interceptAsync<Operation: GraphQLOperation>(
      chain: any RequestChain, request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?,
      completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
    ) {
      request.addHeader(name: "X-Passed", value: "1")
      nonisolated(unsafe) let (chain, completion) = (chain, completion)
      DispatchQueue.global().async {
        chain.proceedAsync(request: request, response: response, interceptor: self) { completion($0) }
      }
    }
  }
}

/// A transport whose `send` an app has overridden.
private final class OwnSend: RequestChainNetworkTransport, @unchecked Sendable {
  override func send<Operation: GraphQLOperation>(
    operation: Operation, cachePolicy: CachePolicy = .default, contextIdentifier: UUID? = nil,
    context: (any RequestContext)? = nil, callbackQueue: DispatchQueue = .main,
    completionHandler: @escaping GraphQLResultHandler<Operation.Data>
  ) -> any Cancellable {
    super.send(
      operation: operation, cachePolicy: cachePolicy, contextIdentifier: contextIdentifier, context: context,
      callbackQueue: callbackQueue, completionHandler: completionHandler)
  }
}

/// What release 1 knows of a transport, and nothing else.
private final class Wrapper: NetworkTransport {
  private let transport: RequestChainNetworkTransport

  init(_ transport: RequestChainNetworkTransport) { self.transport = transport }

  func send<Operation: GraphQLOperation>(
    operation: Operation, cachePolicy: CachePolicy, contextIdentifier: UUID?, context: (any RequestContext)?,
    callbackQueue: DispatchQueue, completionHandler: @escaping GraphQLResultHandler<Operation.Data>
  ) -> any Cancellable {
    transport.send(
      operation: operation, cachePolicy: cachePolicy, contextIdentifier: contextIdentifier, context: context,
      callbackQueue: callbackQueue, completionHandler: completionHandler)
  }
}
