public import ApolloAPI
public import ApolloCache
public import Foundation

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
  public var data: Data? { contents.data }
  /// The errors of the response; nil or empty if there are none.
  public var errors: [GraphQLError]? { contents.errors }
  /// Further information from the server.
  public var extensions: JSONObject? { contents.extensions }
  /// Where the data comes from.
  public var source: Source { contents.source }
  /// The server will send more of this response: see ``DeferredFragment``. False for the last result, and for all others.
  public var hasNext: Bool { contents.hasNext }

  /// What the cache had to do with it.
  public var cacheInfo: CacheInfo {
    get { contents.cacheInfo }
    set {
      contents = Contents(
        data: data, extensions: extensions, errors: errors, source: source, hasNext: hasNext, cacheInfo: newValue,
        dependentKeys: dependentKeys)
    }
  }

  /// The fields of the cache that the data depend on, as `record.field`: what the result was made with.
  ///
  /// Results of this client have none: which fields they depend on is known to the store alone, which tells watchers.
  public var dependentKeys: Set<CacheKey>? { contents.dependentKeys }

  private var contents: Contents

  /// - Parameters:
  ///   - data: The typed data; nil if there are none.
  ///   - errors: The errors of the response; nil if there are none.
  ///   - hasNext: More of this response will come.
  ///   - cacheInfo: What the cache had to do with it; by default that all of it came from there, if that is the source.
  public init(
    data: Data?, extensions: JSONObject? = nil, errors: [GraphQLError]? = nil, source: Source, hasNext: Bool = false,
    cacheInfo: CacheInfo? = nil
  ) {
    contents = Contents(
      data: data, extensions: extensions, errors: errors, source: source, hasNext: hasNext,
      cacheInfo: cacheInfo ?? CacheInfo(isHit: source == .cache))
  }

  /// A result as releases 0.34 to 1.25 of Apollo iOS make it: for an app's tests.
  ///
  /// - Parameter dependentKeys: See ``dependentKeys``.
  public init(
    data: Data?, extensions: JSONObject?, errors: [GraphQLError]?, source: Source, dependentKeys: Set<CacheKey>?
  ) {
    contents = Contents(
      data: data, extensions: extensions, errors: errors, source: source, hasNext: false,
      cacheInfo: CacheInfo(isHit: source == .cache), dependentKeys: dependentKeys)
  }

  /// A result is one reference, whatever its data: so the chain that carries it from one interceptor to the next need
  /// not ask at run time how large it is, and copies nothing of it.
  private final class Contents {
    let data: Data?
    let extensions: JSONObject?
    let errors: [GraphQLError]?
    let source: Source
    let hasNext: Bool
    let cacheInfo: CacheInfo
    let dependentKeys: Set<CacheKey>?

    init(
      data: Data?, extensions: JSONObject?, errors: [GraphQLError]?, source: Source, hasNext: Bool,
      cacheInfo: CacheInfo, dependentKeys: Set<CacheKey>? = nil
    ) {
      self.data = data
      self.extensions = extensions
      self.errors = errors
      self.source = source
      self.hasNext = hasNext
      self.cacheInfo = cacheInfo
      self.dependentKeys = dependentKeys
    }
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
