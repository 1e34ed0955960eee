public import ApolloAPI
public import ApolloCache
public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// What came of an operation.
///
/// `data` and `errors` may both be there: a server answers with what it has and with an error for each field it does not.
public struct GraphQLResult<Data: SelectionSet>: @unchecked Sendable {
  // Data is Sendable unless the user has declared one of its scalars not to be. Then it is safe as well to hand over a
  // whole result, as the client does: it is made of the response, and nobody else refers to what is in it.

  public enum Source: Hashable, Sendable {
    case cache
    case server
  }

  /// The typed data; nil if the server has none at all, and then ``errors`` say why.
  public var data: Data? {
    get { contents.data }
    set { change { $0.data = newValue } }
  }
  /// The errors of the response; nil or empty if there are none.
  public var errors: [GraphQLError]? {
    get { contents.errors }
    set { change { $0.errors = newValue } }
  }
  /// Further information from the server.
  public var extensions: JSONObject? {
    get { contents.extensions }
    set { change { $0.extensions = newValue } }
  }
  /// Where the data comes from.
  public var source: Source { contents.source }
  /// The server will send more of this response: see ``DeferredFragment``. False for the last result, and for all others.
  public var hasNext: Bool { contents.hasNext }
  /// Status and header fields of the response; nil for what comes from the cache, or by something else than HTTP.
  public var httpResponse: HTTPURLResponse? {
    get { contents.httpResponse }
    set { change { $0.httpResponse = newValue } }
  }

  /// What the cache had to do with it.
  public var cacheInfo: CacheInfo {
    get { contents.cacheInfo }
    set { change { $0.cacheInfo = newValue } }
  }

  /// The fields of the cache that the data depend on, as `record.field`: for instance `QUERY_ROOT.hero` and `Droid:2001.name`.
  ///
  /// They are found when they are asked for. Nil without data, and for a result that was made without an operation or keys.
  public var dependentKeys: Set<CacheKey>? {
    if let given = contents.dependentKeys { return given }
    return data.flatMap { contents.findKeys?($0) }
  }

  /// The keys that the result was made with.
  var givenKeys: Set<CacheKey>? { contents.dependentKeys }
  /// Finds what data of the operation depends on.
  typealias KeyFinder = @Sendable (Data) -> Set<CacheKey>?

  /// The data.
  ///
  ///     let hero = try await client.fetch(query: HeroQuery()).dataOrThrow().hero
  ///
  /// - Parameter allowsErrors: Give the data also if the server reports errors of some fields. By default those are thrown.
  /// - Throws: ``ResultError``, with the errors of the response, if there are no data, or if there are errors that are not
  ///   allowed.
  public func dataOrThrow(allowsErrors: Bool = false) throws -> Data {
    guard let data, allowsErrors || errors?.isEmpty ?? true else { throw ResultError(self) }
    return data
  }

  private var contents: Contents

  /// - Parameters:
  ///   - data: The typed data; nil if there are none.
  ///   - errors: The errors of the response; nil if there are none.
  ///   - hasNext: More of this response will come.
  ///   - cacheInfo: What the cache had to do with it; by default that all of it came from there, if that is the source.
  ///   - httpResponse: Status and header fields of the response; nil for what comes in another way.
  public init(
    data: Data?, extensions: JSONObject? = nil, errors: [GraphQLError]? = nil, source: Source, hasNext: Bool = false,
    cacheInfo: CacheInfo? = nil, httpResponse: HTTPURLResponse? = nil
  ) {
    self.init(data, extensions, errors, source, hasNext, cacheInfo ?? CacheInfo(isHit: source == .cache))
    contents.httpResponse = httpResponse
  }

  /// - Parameter findKeys: Finds what data of the operation depends on.
  init(
    _ data: Data?, _ extensions: JSONObject?, _ errors: [GraphQLError]?, _ source: Source, _ hasNext: Bool,
    _ cacheInfo: CacheInfo, findKeys: KeyFinder? = nil
  ) {
    contents = Contents(data, extensions, errors, source, hasNext, cacheInfo)
    contents.findKeys = findKeys
  }

  /// A result as releases 0.34 to 1.25 of Apollo iOS make it: for an app's tests.
  ///
  /// - Parameter dependentKeys: See ``dependentKeys``.
  public init(
    data: Data?, extensions: JSONObject?, errors: [GraphQLError]?, source: Source, dependentKeys: Set<CacheKey>?
  ) {
    self.init(data, extensions, errors, source, false, CacheInfo(isHit: source == .cache))
    contents.dependentKeys = dependentKeys
  }

  private mutating func change(_ body: (Contents) -> Void) {
    if !isKnownUniquelyReferenced(&contents) { contents = Contents(contents) }
    body(contents)
  }

  /// A result is one reference, whatever its data: so the chain that carries it from one interceptor to the next need
  /// not ask at run time how large it is, and copies nothing of it.
  private final class Contents {
    var data: Data?
    var extensions: JSONObject?
    var errors: [GraphQLError]?
    let source: Source
    let hasNext: Bool
    var cacheInfo: CacheInfo
    var httpResponse: HTTPURLResponse?
    var dependentKeys: Set<CacheKey>?
    var findKeys: KeyFinder?

    init(
      _ data: Data?, _ extensions: JSONObject?, _ errors: [GraphQLError]?, _ source: Source, _ hasNext: Bool,
      _ cacheInfo: CacheInfo
    ) {
      self.data = data
      self.extensions = extensions
      self.errors = errors
      self.source = source
      self.hasNext = hasNext
      self.cacheInfo = cacheInfo
    }

    convenience init(_ other: Contents) {
      self.init(other.data, other.extensions, other.errors, other.source, other.hasNext, other.cacheInfo)
      (httpResponse, dependentKeys, findKeys) = (other.httpResponse, other.dependentKeys, other.findKeys)
    }
  }
}

/// A response without the data that were asked for; see ``GraphQLResult/dataOrThrow(allowsErrors:)``.
public struct ResultError: ApolloError {
  /// The errors of the response.
  public let graphQLErrors: [GraphQLError]
  /// The status of the response; nil if it came by something else than HTTP.
  public let httpStatus: Int?

  public var code: ApolloErrorCode { .operationRefused }

  public var message: String {
    guard let first = graphQLErrors.first else { return "The response has no data." }
    let more = graphQLErrors.count - 1
    return first.description + (more == 0 ? "" : more == 1 ? " (and one more error)" : " (and \(more) more errors)")
  }

  fileprivate init<Data>(_ result: GraphQLResult<Data>) {
    graphQLErrors = result.errors ?? []
    httpStatus = result.httpResponse?.statusCode
  }
}

extension GraphQLResult: CustomReflectable {
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "data": data as Any, "errors": errors as Any, "extensions": extensions as Any, "source": source,
        "hasNext": hasNext, "cacheInfo": cacheInfo,
      ], displayStyle: .struct)
  }
}

/// What the cache had to do with a result.
public struct CacheInfo: Sendable {
  /// All of the data came from the cache.
  public var isHit: Bool
  /// In place of some values the cache has the errors that the server reported for them: they are among the errors of
  /// the result.
  public var isPartial: Bool
  /// When the oldest part of the data came from the server, to the second; nil if it did not, or if that is not known.
  public var receivedAt: Date?
  /// What a backend of the cache threw. The result is complete all the same, but not all of it could be kept or found.
  public var error: (any Error)?
  /// Why the cache stands in for the server, with ``CachePolicy/Query/SingleResponse/networkFirst``.
  public var fetchError: (any Error)?

  public init(isHit: Bool, isPartial: Bool = false, receivedAt: Date? = nil, error: (any Error)? = nil) {
    self.isHit = isHit
    self.isPartial = isPartial
    self.receivedAt = receivedAt
    self.error = error
  }
}

/// Called with each result of an operation, or with the error that ended it, on the queue that the caller names: the main
/// one unless it says otherwise.
///
/// It is a plain closure, as in every release of Apollo iOS: it may change what belongs to the main actor, if it is made
/// there, and capture what is not `Sendable`. A closure that is made on the main actor belongs to it; on another queue than
/// `.main` it stops the process in Swift 6 mode, and races in Swift 5 mode. So name a queue of your own only for a closure that is made
/// outside of any actor, or that is `@Sendable`.
public typealias GraphQLResultHandler<Data: SelectionSet> = (Result<GraphQLResult<Data>, any Error>) -> Void
