public import ApolloAPI
public import ApolloCache
public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// The result of an operation.
///
/// It may have both `data` and `errors`: a server answers with the data that it has, and with an error for each field
/// that failed.
public struct GraphQLResult<Data: SelectionSet>: @unchecked Sendable {
  // Data is Sendable, unless the user has declared one of its scalars not to be. Passing a whole result on, as the
  // client does, is safe even then: it was made of the response, and nothing else refers to its parts.

  /// Where the data of a result comes from.
  public enum Source: Hashable, Sendable {
    /// The data was read from the cache.
    case cache
    /// The server sent the data.
    case server
  }

  /// The typed data; nil if the server sent none. Then ``errors`` say why.
  public var data: Data? {
    get { contents.data }
    set { change { $0.data = newValue } }
  }
  /// Whether there is data. (To ask for ``data`` copies it.)
  package var hasData: Bool { contents.hasData }
  /// The errors of the response; nil or empty if there are none.
  public var errors: [GraphQLError]? {
    get { contents.errors }
    set { change { $0.errors = newValue } }
  }
  /// Whether the response has errors, also if an ``ErrorPolicy`` has taken them out of the result.
  package var hasReportedErrors: Bool { !reportedErrors.isEmpty }
  /// Whether every error of the response has a path, so that it is known to which field it belongs.
  package var tellsWhereErrorsAre: Bool { reportedErrors.allSatisfy { $0.path != nil } }
  private var reportedErrors: [GraphQLError] { contents.ignoredErrors ?? contents.errors ?? [] }

  /// Takes the errors out of the result.
  mutating func ignoreErrors() {
    change { ($0.ignoredErrors, $0.errors) = ($0.errors, nil) }
  }

  /// The error because of which there is no ``data``, although the server sent some: an operation that throws errors of
  /// fields, with `@catch(to: THROW)` or `@required(action: THROW)`, has no value around the field that catches it. nil if
  /// there is none.
  public var unhandledFieldError: GraphQLError? { contents.nulls?.unhandled }

  /// The fields with `@required(action: LOG)` that are null, as errors with their paths.
  package var loggedNulls: [GraphQLError] { contents.nulls?.logged ?? [] }

  /// Notes what reading a response has found out about its nulls.
  ///
  /// - Parameters:
  ///   - unhandled: The error that nothing caught; nil if there is none.
  ///   - logged: The fields with `@required(action: LOG)` that are null, as errors with their paths.
  package mutating func noteNulls(unhandled: GraphQLError?, logged: [GraphQLError]) {
    change { $0.nulls = (unhandled, logged) }
  }

  /// The `extensions` of the response: further information from the server. nil if there is none.
  ///
  /// A number in it is an `Int` or a `Double`, as the server spelled it: `2` or `2.0`. `as? NSNumber` takes both, and so
  /// does `JSONScalar`. One that neither can hold is a `JSONNumber`.
  public var extensions: JSONObject? {
    get { contents.extensions }
    set { change { $0.extensions = newValue } }
  }
  /// Whether the data comes from the cache or from the server.
  public var source: Source { contents.source }
  /// Whether the server will send more of this response; see `DeferredFragment`. False for the last result of a
  /// response.
  public var hasNext: Bool { contents.hasNext }
  /// Whether lists may be shorter than in the whole answer, of which the response is a part.
  package var hasOpenLists: Bool {
    get { contents.hasOpenLists }
    set { change { $0.hasOpenLists = newValue } }
  }
  /// Status and header fields of the response; nil for data from the cache, and for a transport that does not use HTTP.
  public var httpResponse: HTTPURLResponse? {
    get { contents.httpResponse }
    set { change { $0.httpResponse = newValue } }
  }

  /// Whether the cache had the data, how old the data is, and what went wrong in the cache.
  public var cacheInfo: CacheInfo {
    get { contents.cacheInfo }
    set { change { $0.cacheInfo = newValue } }
  }

  /// The fields of the cache that the data depends on, as `record.field`: for instance `QUERY_ROOT.hero` and
  /// `Droid:2001.name`.
  ///
  /// They are found when they are asked for. nil without data, and for a result that was made without an operation or
  /// keys.
  public var dependentKeys: Set<CacheKey>? {
    if let given = contents.dependentKeys { return given }
    return data.flatMap { contents.findKeys?($0) }
  }

  /// Whether the data is in the cache: it comes from there, or was written to it.
  package var isStored: Bool { contents.isStored || source == .cache }

  /// Notes that the data was written to the cache. All copies of the result know it.
  package func noteStored() { contents.isStored = true }

  /// Takes what the cache has of a result that was written to it.
  ///
  /// - Parameter reading: What was read after the result was written.
  /// - Returns: False, and nothing is taken, if the cache lacks something, or has a value in the place of an error: errors
  ///   do not replace values, and it is not known which values those without a path stand for.
  @inline(never) package mutating func take(_ reading: ReadResult<Data>) -> Bool {
    guard hasData, reading.isHit, case .success(let data) = reading.data, tellsWhereErrorsAre else { return false }
    var kept = reading.errors.map(\.withoutIndices), errors = reading.errors
    lazy var json = Self.json(of: data)
    lazy var own = self.data.flatMap { Self.json(of: $0) }
    for error in reportedErrors {
      if let place = kept.firstIndex(of: error.withoutIndices) {
        kept.remove(at: place)
      } else if error.isOfNull(in: json, answer: own) {
        errors.append(error)
      } else {
        return false
      }
    }
    change { contents in
      contents.data = data
      if contents.ignoredErrors == nil { contents.errors = errors } else { contents.ignoredErrors = errors }
    }
    return true
  }

  private static func json(of data: Data) -> JSONValue? {
    (try? ResponseReader.jsonValue(data.response()) as? JSONObject)?["data"]
  }

  /// How many bytes the response has that the result was made of; 0 for others.
  package var byteCount: Int {
    get { contents.byteCount }
    set { change { $0.byteCount = newValue } }
  }

  /// The keys that the result was made with; nil if it was made without any.
  var givenKeys: Set<CacheKey>? { contents.dependentKeys }
  /// Finds what data of the operation depends on.
  typealias KeyFinder = @Sendable (Data) -> Set<CacheKey>?

  /// Gives the data, or throws the errors of the response.
  ///
  ///     let hero = try await client.fetch(query: HeroQuery()).dataOrThrow().hero
  ///
  /// - Parameter allowsErrors: Whether data is returned even if the server reports errors of some fields. The default
  ///   is false: the errors are thrown.
  /// - Returns: The data.
  /// - Throws: ``ResultError``, with the errors of the response, if there is no data, or if there are errors and
  ///   `allowsErrors` is false.
  public func dataOrThrow(allowsErrors: Bool = false) throws -> Data {
    guard let data, allowsErrors || errors?.isEmpty ?? true else { throw ResultError(self) }
    return data
  }

  private var contents: Contents

  /// Makes a result, for an app's tests and transports.
  ///
  /// - Parameters:
  ///   - data: The typed data; nil if there is none.
  ///   - extensions: Further information from the server. nil, the default: none.
  ///   - errors: The errors of the response. nil, the default: none.
  ///   - source: Where the data comes from.
  ///   - hasNext: Whether more of this response will come. The default is false.
  ///   - cacheInfo: What is known about the cache. nil, the default: a hit if the cache is the source.
  ///   - httpResponse: Status and header fields of the response. nil, the default: there are none.
  public init(
    data: Data?, extensions: JSONObject? = nil, errors: [GraphQLError]? = nil, source: Source, hasNext: Bool = false,
    cacheInfo: CacheInfo? = nil, httpResponse: HTTPURLResponse? = nil
  ) {
    contents = Contents(
      data: data, extensions: extensions, errors: errors, source: source, hasNext: hasNext,
      cacheInfo: cacheInfo ?? CacheInfo(isHit: source == .cache))
    contents.httpResponse = httpResponse
  }

  // (Inlined, because each generic function looks up the type of the data.)
  /// Makes a result that can find what its data depends on.
  @inline(__always) init(
    data: Data?, extensions: JSONObject?, errors: [GraphQLError]?, source: Source, hasNext: Bool,
    cacheInfo: CacheInfo, httpResponse: HTTPURLResponse? = nil, byteCount: Int = 0, findKeys: KeyFinder?
  ) {
    let contents = Contents(
      data: data, extensions: extensions, errors: errors, source: source, hasNext: hasNext, cacheInfo: cacheInfo)
    contents.httpResponse = httpResponse
    contents.byteCount = byteCount
    contents.findKeys = findKeys
    self.contents = contents
  }

  /// Makes the result of an operation, which can find what its data depends on.
  package init<Operation: GraphQLOperation>(
    data: Data?, extensions: JSONObject?, errors: [GraphQLError]?, source: Source, hasNext: Bool,
    cacheInfo: CacheInfo, httpResponse: HTTPURLResponse? = nil, byteCount: Int = 0, of operation: Operation,
    _ identity: ObjectIdentity
  ) where Operation.Data == Data {
    self.init(
      data: data, extensions: extensions, errors: errors, source: source, hasNext: hasNext, cacheInfo: cacheInfo,
      httpResponse: httpResponse, byteCount: byteCount, findKeys: Self.keyFinder(operation, identity))
  }

  /// Makes a result, with the parameters of Apollo iOS 0.34 to 1.25, for an app's tests.
  ///
  /// - Parameters:
  ///   - data: The typed data; nil if there is none.
  ///   - extensions: Further information from the server; nil if there is none.
  ///   - errors: The errors of the response; nil if there are none.
  ///   - source: Where the data comes from.
  ///   - dependentKeys: The fields of the cache that the data depends on; nil if they are not known.
  public init(
    data: Data?, extensions: JSONObject?, errors: [GraphQLError]?, source: Source, dependentKeys: Set<CacheKey>?
  ) {
    contents = Contents(
      data: data, extensions: extensions, errors: errors, source: source, hasNext: false,
      cacheInfo: CacheInfo(isHit: source == .cache))
    contents.dependentKeys = dependentKeys
  }

  private mutating func change(_ body: (Contents) -> Void) {
    if !isKnownUniquelyReferenced(&contents) { contents = Contents(contents) }
    body(contents)
  }

  /// A result is one reference, whatever its data. So the chain that carries it from one interceptor to the next need
  /// not ask at run time how large it is, and copies nothing.
  private final class Contents {
    var data: Data? { didSet { hasData = data != nil } }
    private(set) var hasData: Bool
    var extensions: JSONObject?
    var errors: [GraphQLError]?
    /// The errors that an ``ErrorPolicy`` has taken out; nil if there were none.
    var ignoredErrors: [GraphQLError]?
    var nulls: (unhandled: GraphQLError?, logged: [GraphQLError])?
    let source: Source
    let hasNext: Bool
    var (isStored, hasOpenLists) = (false, false)
    var cacheInfo: CacheInfo
    var httpResponse: HTTPURLResponse?
    var dependentKeys: Set<CacheKey>?
    var findKeys: KeyFinder?
    var byteCount = 0

    @inline(__always) init(
      data: Data?, extensions: JSONObject?, errors: [GraphQLError]?, source: Source, hasNext: Bool,
      cacheInfo: CacheInfo
    ) {
      hasData = data != nil
      self.data = data
      self.extensions = extensions
      self.errors = errors
      self.source = source
      self.hasNext = hasNext
      self.cacheInfo = cacheInfo
    }

    convenience init(_ other: Contents) {
      self.init(
        data: other.data, extensions: other.extensions, errors: other.errors, source: other.source,
        hasNext: other.hasNext, cacheInfo: other.cacheInfo)
      (httpResponse, dependentKeys, findKeys) = (other.httpResponse, other.dependentKeys, other.findKeys)
      (byteCount, ignoredErrors, nulls) = (other.byteCount, other.ignoredErrors, other.nulls)
      (isStored, hasOpenLists) = (other.isStored, other.hasOpenLists)
    }
  }
}

extension GraphQLError {
  /// The error without the places of elements in lists: a list in the cache may have more elements than that of a response.
  fileprivate var withoutIndices: GraphQLError {
    var members = object
    members["path"] = (path ?? []).compactMap { component -> JSONValue? in
      if case .field(let name) = component { name } else { nil }
    }
    return GraphQLError(members)
  }

  /// Whether its path leads to a null in what the cache has.
  ///
  /// - Parameters:
  ///   - data: What the cache has.
  ///   - answer: What the server has sent, to whose elements the path leads. Where a list has another length in the
  ///     cache, it is not known which of the elements is meant.
  /// - Returns: Whether it does.
  fileprivate func isOfNull(in data: JSONValue?, answer: JSONValue?) -> Bool {
    var value = data, own = answer
    for component in path ?? [] {
      switch component {
      case .field(let name): (value, own) = ((value as? JSONObject)?[name], (own as? JSONObject)?[name])
      case .index(let index):
        guard let list = value as? [JSONValue], let sent = own as? [JSONValue], list.count == sent.count,
          list.indices.contains(index)
        else { return false }
        (value, own) = (list[index], sent[index])
      }
      if value is JSONNull { return true }
    }
    return false
  }
}

/// The error for a response without the requested data; see ``GraphQLResult/dataOrThrow(allowsErrors:)``.
public struct ResultError: ApolloError {
  /// The errors of the response.
  public let graphQLErrors: [GraphQLError]
  /// The status of the response; nil if it did not come over HTTP.
  public let httpStatus: Int?

  /// The kind of this error: ``ApolloErrorCode/operationRefused``.
  public var code: ApolloErrorCode { .operationRefused }

  /// One sentence that says what went wrong.
  public var message: String {
    guard let first = graphQLErrors.first else { return "The response has no data." }
    let more = graphQLErrors.count - 1
    return first.description + (more == 0 ? "" : more == 1 ? " (and one more error)" : " (and \(more) more errors)")
  }

  init<Data>(_ result: GraphQLResult<Data>) {
    let errors = result.errors ?? []
    graphQLErrors = errors.isEmpty ? result.unhandledFieldError.map { [$0] } ?? [] : errors
    httpStatus = result.httpResponse?.statusCode
  }
}

extension GraphQLResult: CustomReflectable {
  /// The parts of the result, for debuggers.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "data": data as Any, "errors": errors as Any, "extensions": extensions as Any, "source": source,
        "hasNext": hasNext, "cacheInfo": cacheInfo,
      ], displayStyle: .struct)
  }
}

/// What is known about the cache for a result.
public struct CacheInfo: Sendable {
  /// Whether all of the data came from the cache.
  public var isHit: Bool
  /// Whether some values are missing: the cache has an error of the server in their place, or nothing, and a part was
  /// asked for with ``RequestConfiguration/returnsPartialData``. The errors of the result name them.
  public var isPartial: Bool
  /// When the oldest part of the data came from the server, to the second. nil if the data is not from the cache, or if
  /// the time is not known.
  public var receivedAt: Date?
  /// The error that a backend of the cache threw; nil if there was none. The result is complete, but not all of it
  /// could be written to or found in the cache.
  public var error: (any Error)?
  /// The error of the server for which the cache is the fallback, with
  /// ``CachePolicy/Query/SingleResponse/networkFirst``. nil otherwise.
  public var fetchError: (any Error)?
  /// The fields of the cache that are older than they may be and are in the data nevertheless, as `record.field`. They
  /// are in the data with ``RequestConfiguration/ttlEnforcement`` `.permissive` and ``RequestConfiguration/maxStale``,
  /// under ``CachePolicy/Query/CacheAndNetwork/revalidateCache``, when the cache stands in for a server that does not
  /// answer, and after a change while a query is watched.
  public var staleFields: [String] = []
  /// When the first of the fields will be, or was, older than it may be. nil if none of them has an age, or the data is
  /// not from the cache. A field with a `maxAge` of 0 does not count: its time is always over.
  public var earliestExpiry: Date?

  /// When the cache was asked for the data, and when it had answered, by the `ApolloStore.clock` of the store. nil if the
  /// data is not from the cache. Apollo Kotlin has it in milliseconds, as
  /// `cacheStartMillis` and `cacheEndMillis`.
  public var cacheStart, cacheEnd: Date?
  /// When the request was sent, and when the response, or this part of one, had come, by the `ApolloStore.clock` of the
  /// store. After a retry over HTTP it is the last request. nil if the data is not from the server, or if a transport or an
  /// interceptor of the app has fetched it. Apollo Kotlin has it in milliseconds, as `networkStartMillis` and
  /// `networkEndMillis`.
  public var networkStart, networkEnd: Date?

  /// Whether some of the data is older than it may be.
  public var isStale: Bool { !staleFields.isEmpty }

  /// Makes information about the cache.
  ///
  /// - Parameters:
  ///   - isHit: Whether all of the data came from the cache.
  ///   - isPartial: Whether the cache has errors in place of some values. The default is false.
  ///   - receivedAt: When the oldest part of the data came from the server. nil, the default: not known.
  ///   - error: The error that a backend of the cache threw. nil, the default: none.
  public init(isHit: Bool, isPartial: Bool = false, receivedAt: Date? = nil, error: (any Error)? = nil) {
    self.isHit = isHit
    self.isPartial = isPartial
    self.receivedAt = receivedAt
    self.error = error
  }
}
