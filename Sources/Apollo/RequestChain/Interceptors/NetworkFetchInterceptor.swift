public import ApolloAPI
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends the request and waits for the response.
///
/// A response in parts goes on as soon as it begins; ``MultipartResponseParsingInterceptor`` reads the parts.
public final class NetworkFetchInterceptor: AsyncInterceptor {
  private let client: URLSessionClient
  private let deduplicator: RequestDeduplicator?
  private let batcher: RequestBatcher?
  /// Whether they are used for an operation that says nothing of it.
  private let (deduplicates, batches): (Bool, Bool)

  /// - Parameters:
  ///   - deduplicator: Identical queries that are under way at the same time are sent once.
  ///   - batcher: Operations that are sent at about the same time go in one request.
  public init(client: URLSessionClient, deduplicator: RequestDeduplicator? = nil, batcher: RequestBatcher? = nil) {
    self.client = client
    self.deduplicator = deduplicator
    self.batcher = batcher
    (deduplicates, batches) = (true, true)
  }

  /// - Parameters:
  ///   - deduplicates: For operations that say nothing of it.
  ///   - batches: For operations that say nothing of it.
  init(
    client: URLSessionClient, deduplicator: RequestDeduplicator, deduplicates: Bool, batcher: RequestBatcher,
    batches: Bool
  ) {
    self.client = client
    self.deduplicator = deduplicator
    self.batcher = batcher
    (self.deduplicates, self.batches) = (deduplicates, batches)
  }

  public func intercept<Operation: GraphQLOperation>(
    request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?
  ) async throws -> NextStep<Operation> {
    let fetched = try await fetch(request)
    let response = HTTPResponse<Operation>(response: fetched.response, rawData: Data(), parsedResponse: nil)
    switch fetched.body {
    case .whole(let data): response.rawData = data
    case .pieces(let pieces): response.pieces = pieces
    }
    response.redirect = fetched.redirect
    return .proceed(response)
  }

  private func fetch<Operation: GraphQLOperation>(_ request: HTTPRequest<Operation>) async throws -> FetchedResponse {
    let client = client
    let description = Operation.operationType.rawValue + " " + Operation.operationName
    let mayAnswerInParts = Operation.operationType == .subscription || Operation.hasDeferredFragments
    let mayRepeat = request.mayRunTwice
    let batches = request.requestConfiguration.batches ?? batches
    let deduplicates = request.requestConfiguration.deduplicates ?? deduplicates
    let batcher = mayAnswerInParts || !batches ? nil : batcher
    if let upload = request as? UploadRequest<Operation> {
      // A subclass may have a form of its own.
      if let batcher, type(of: upload) == UploadRequest<Operation>.self {
        let (body, files) = try upload.parts()
        return try await batcher.fetch(
          try upload.toRequestHead(), body: body, files: files, mayRepeat: mayRepeat, with: client)
      }
      if let (request, file) = try upload.toFileRequest() {
        return try await client.fetch(request, file: file, description: description, mayRepeat: mayRepeat)
      }
    }
    let urlRequest = try request.toURLRequest()
    let send: RequestDeduplicator.Send =
      if let batcher, request is JSONRequest<Operation>, let body = urlRequest.httpBody {
        { try await batcher.fetch(urlRequest, body: body, mayRepeat: mayRepeat, with: client) }
      } else {
        { try await client.fetch(urlRequest, file: nil, description: description, mayRepeat: mayRepeat) }
      }
    guard deduplicates, let deduplicator, Operation.operationType == .query, !mayAnswerInParts else {
      return try await send()
    }
    return try await deduplicator.fetch(urlRequest, send)
  }
}
