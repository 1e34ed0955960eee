import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking

  /// A wrapper of a session's cache. The cache is read only for requests that it may answer, and at once.
  ///
  /// Foundation on Linux asks it for every request, on a thread of low priority, and sends the request only then: a
  /// fifth of the processor time of a `POST`, to which no cache answers (RFC 9110, section 9.3.3).
  ///
  /// A task that is cancelled while it waits for that thread is started and cancelled by it in two steps. If the thread
  /// is held up between the two until the response has come, the process stops: "Trying to access a behaviour for a task
  /// that in not in the registry".
  final class SessionCache: URLCache, @unchecked Sendable {
    // Unchecked, as its superclass is, whose state this object does not use. The one member never changes, and a
    // URLCache is made for many threads.

    private let cache: URLCache

    init(_ cache: URLCache) {
      self.cache = cache
      super.init(memoryCapacity: 0, diskCapacity: 0, diskPath: nil)
    }

    override var memoryCapacity: Int {
      get { cache.memoryCapacity }
      set { cache.memoryCapacity = newValue }
    }

    override var diskCapacity: Int {
      get { cache.diskCapacity }
      set { cache.diskCapacity = newValue }
    }

    override var currentMemoryUsage: Int { cache.currentMemoryUsage }
    override var currentDiskUsage: Int { cache.currentDiskUsage }

    override func getCachedResponse(
      for dataTask: URLSessionDataTask, completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
      guard let request = dataTask.currentRequest, request.httpMethod == "GET" else { return completionHandler(nil) }
      completionHandler(cache.cachedResponse(for: request))
    }

    override func storeCachedResponse(_ response: CachedURLResponse, for dataTask: URLSessionDataTask) {
      cache.storeCachedResponse(response, for: dataTask)
    }

    override func removeCachedResponse(for dataTask: URLSessionDataTask) { cache.removeCachedResponse(for: dataTask) }

    override func cachedResponse(for request: URLRequest) -> CachedURLResponse? { cache.cachedResponse(for: request) }

    override func storeCachedResponse(_ response: CachedURLResponse, for request: URLRequest) {
      cache.storeCachedResponse(response, for: request)
    }

    override func removeCachedResponse(for request: URLRequest) { cache.removeCachedResponse(for: request) }

    override func removeCachedResponses(since date: Date) { cache.removeCachedResponses(since: date) }

    override func removeAllCachedResponses() { cache.removeAllCachedResponses() }
  }
#endif

extension URLSessionConfiguration {
  /// The configuration with a cache that is asked at once, and only for what it may answer; a copy if it has another one.
  var askingCacheOnlyForGET: URLSessionConfiguration {
    #if canImport(Darwin)
      return self
    #else
      guard let urlCache, !(urlCache is SessionCache), let copy = copy() as? URLSessionConfiguration else {
        return self
      }
      copy.urlCache = SessionCache(urlCache)
      return copy
    #endif
  }
}
