import ApolloTransport
import ApolloCache
import Foundation

/// What a ``GraphQLQueryWatcher`` does, and what it does next.
///
/// | phase | the app asks | polled, or too old | the cache lacks data | the cache has all | the request ends | the pause ends |
/// |---|---|---|---|---|---|---|
/// | resting | asking | asking | asking, or pausing if it has asked twice | resting | – | – |
/// | asking | asking anew | asking; too old: noted | asking; noted | asking | resting; what was noted is looked at | – |
/// | pausing | asking | asking | pausing | resting | – | resting; the cache is looked at |
/// | ended | ended | ended | ended | ended | ended | ended |
///
/// A change from outside ends a pause, and what it asks for is asked at once. Two watchers whose answers make each other's
/// data incomplete would otherwise ask without end: each of them asks twice, and then after pauses of 1, 2, 4 seconds and so
/// on, up to a minute. Polling, expiry and what the app asks for do not count.
struct WatchState {
  enum Phase: Equatable {
    case resting
    /// A request is under way. What was noticed meanwhile is looked at when it has ended.
    case asking(number: Int, noticed: Notice?)
    case pausing(number: Int)
    case ended
  }

  /// A reason to ask the server.
  enum Notice: Equatable {
    /// The cache no longer has all of the data; or it has changed, and the policy is to ask after each change.
    case change
    /// A field is older than it may be.
    case expiry
  }

  /// What has to be done.
  enum Step: Equatable {
    case nothing
    /// A request is sent.
    case ask(number: Int, isAutomatic: Bool)
    /// Nothing is sent for some seconds.
    case pause(seconds: Double, number: Int)
  }

  private(set) var phase = Phase.resting
  /// The cache policy that the app has asked with last.
  private var policy: CachePolicy
  /// What was different for the last request that the app has asked for, and is for those that follow by themselves.
  private(set) var configuration: RequestConfiguration?
  /// The number of the last request, or of the last pause.
  private(set) var lastNumber = 0
  /// How often it has asked by itself since the last change from outside.
  private var automaticCount = 0
  private var pauseCount = 0

  private static let countAtOnce = 2
  private static let longestPause = 64.0

  /// - Parameters:
  ///   - policy: The cache policy, as long as the app has not asked.
  ///   - configuration: What is different for requests, as long as the app has not asked.
  init(_ policy: CachePolicy = .returnCacheDataElseFetch, _ configuration: RequestConfiguration? = nil) {
    (self.policy, self.configuration) = (policy, configuration)
  }

  /// Whether the cache policy allows asking the server.
  var asksServer: Bool { policy != .returnCacheDataDontFetch }
  /// The cache policy of requests that it sends by itself. Their results are in the cache if those of the app's are.
  var ownPolicy: CachePolicy { policy == .fetchIgnoringCacheCompletely ? policy : .fetchIgnoringCacheData }
  var isEnded: Bool { phase == .ended }
  /// The number of the request that is under way; nil if there is none.
  var request: Int? { if case .asking(let number, _) = phase { number } else { nil } }
  /// Whether it has ever asked.
  var hasAsked: Bool { lastNumber > 0 }
  /// Whether the next request that it sends by itself has to wait.
  var hasAskedEnough: Bool { automaticCount >= Self.countAtOnce }

  /// The app asks for the query.
  ///
  /// - Parameters:
  ///   - policy: Whether the server may be asked, and its results written to the cache, now and after changes.
  ///   - configuration: What is different, now and after changes.
  /// - Returns: The number of the request.
  mutating func ask(under policy: CachePolicy, _ configuration: RequestConfiguration? = nil) -> Int? {
    (self.policy, self.configuration) = (policy, configuration)
    return ask()
  }

  /// The app asks the server again.
  mutating func ask() -> Int? {
    guard phase != .ended else { return nil }
    forgetRequests()
    return begin()
  }

  /// It is time to poll. A request that is under way does.
  mutating func poll() -> Step {
    switch phase {
    case .asking, .ended: return .nothing
    case .resting, .pausing: return asksServer ? .ask(number: begin(), isAutomatic: false) : .nothing
    }
  }

  /// The first of the fields has become older than it may be.
  mutating func expire() -> Step {
    if case .asking(let number, noticed: nil) = phase { phase = .asking(number: number, noticed: .expiry) }
    return poll()
  }

  /// The cache lacks data.
  ///
  /// - Parameter cause: What changed it; nil if it is looked at again.
  /// - Returns: What has to be done.
  mutating func lackData(since cause: ChangeCause?) -> Step {
    guard let step = askOnce(since: cause) else { return pause() }
    return step
  }

  /// The cache has changed and has all of the data, but the server is asked after each change. There is nothing to wait for
  /// if it has asked enough.
  mutating func wantNewer(since cause: ChangeCause?) -> Step { askOnce(since: cause) ?? .nothing }

  /// - Returns: nil if it has asked enough.
  private mutating func askOnce(since cause: ChangeCause?) -> Step? {
    guard asksServer, phase != .ended else { return .nothing }
    if cause == .outside { forgetRequests() }
    switch phase {
    case .ended, .pausing: return .nothing
    case .asking(let number, _):
      // (Without its cause: what comes from outside counts once. Looked at again as such, it would be noted again by a
      // request that began meanwhile, and so on.)
      phase = .asking(number: number, noticed: .change)
      return .nothing
    case .resting:
      guard !hasAskedEnough else { return nil }
      automaticCount += 1
      return .ask(number: begin(), isAutomatic: true)
    }
  }

  private mutating func pause() -> Step {
    let seconds = min(pow(2, Double(pauseCount)), Self.longestPause)
    pauseCount += 1
    lastNumber += 1
    phase = .pausing(number: lastNumber)
    return .pause(seconds: seconds, number: lastNumber)
  }

  /// The cache has changed, and has all of the data.
  mutating func haveData(since cause: ChangeCause?) {
    if cause == .outside { forgetRequests() }
    if case .pausing = phase { phase = .resting }
  }

  /// A request has ended.
  ///
  /// - Returns: What was noticed meanwhile, for which the cache has to be looked at again; nil: nothing.
  mutating func end(_ number: Int) -> Notice? {
    guard case .asking(number, let noticed) = phase else { return nil }
    phase = .resting
    return noticed
  }

  /// A pause is over.
  ///
  /// - Returns: Whether the cache is to be looked at again.
  mutating func endPause(_ number: Int) -> Bool {
    guard phase == .pausing(number: number) else { return false }
    phase = .resting
    // One request follows at once, if data is still missing.
    automaticCount = Self.countAtOnce - 1
    return true
  }

  /// Nothing follows.
  mutating func cancel() { phase = .ended }

  private mutating func begin() -> Int {
    lastNumber += 1
    phase = .asking(number: lastNumber, noticed: nil)
    return lastNumber
  }

  private mutating func forgetRequests() {
    (automaticCount, pauseCount) = (0, 0)
    if case .pausing = phase { phase = .resting }
  }
}
