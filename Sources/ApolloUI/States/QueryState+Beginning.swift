import Apollo
import ApolloAPI
import ApolloTransport

// How a state begins, ends, and begins anew.

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension QueryState {
  func restart() {
    let wasWatched = watch != nil
    isCancelled = false
    end()
    forgetMore()
    clearError()
    responseErrors = []
    (hasMissedEvent, signOutListener) = (false, nil)
    if isSkipped {
      show(nil)
      previousData = nil
      setStatus(.idle)
    } else if isHidden, !wasWatched {
      show(client.flatMap { cached($0) })
      showPlaceholder()
      keepUntilSignOut()
      rest()
    } else {
      begin()
    }
  }

  func end() {
    watch?.leave(self)
    watch = nil
    lackedNetwork = false
    endStreaming()
    for subscription in subscriptions { subscription.cancel() }
    subscriptions = []
    finishRefetches(.failure(CancellationError()))
  }

  /// Deferred fragments that have not come will not come.
  func endStreaming() {
    if dataState == .streaming { facts.dataState = .partial }
  }

  /// Has what is shown removed when the user signs out, although nothing is watched.
  ///
  /// - Parameter hearsEvents: Whether events and refetches that concern the query are noted. The default is true.
  func keepUntilSignOut(hearsEvents: Bool = true) {
    guard let client else { return }
    let own = options.requestConfiguration?.refetchesOn, isAsked = hearsEvents && !options.asksCacheOnly
    signOutListener = SignOutListener(
      client, of: hearsEvents ? query : nil,
      refetchesOn: isAsked ? own ?? client.defaultRequestConfiguration.refetchesOn : nil
    ) { [weak self] in self?.forgetData() }
  }

  /// Forgets what was for the user who is gone. Why it has ended stays.
  func forgetData() {
    show(nil)
    if previousData != nil { previousData = nil }
    if error?.isSignOut == false { clearError() }
  }

  /// - Parameters:
  ///   - keepsData: Whether what is shown stays if memory does not have all of the data. The default is false.
  ///   - asks: Whether the server may be asked at once. false: the caller asks. The default is true.
  ///   - follows: Whether the cache is followed if the server is not asked. The default is false: the caller says what is to
  ///     be done.
  func begin(keepsData: Bool = false, asks: Bool = true, follows: Bool = false) {
    guard let client else {
      facts.error = StateError.noClient
      return
    }
    // What was kept out of the cache stays, whatever the cache has.
    let staysApart = keepsData && data != nil && !isPlaceholder && !isStored
    let cached = staysApart ? nil : cached(client, keepsData: keepsData)
    if cached?.data != nil || !keepsData { show(cached) }
    let (watch, isNew) = SharedWatch.find(query, client, options)
    self.watch = watch
    if staysApart, isNew { watch.stayApart() }
    watch.join(self, isHidden: isHidden, pollInterval: pollInterval)
    // (An event is told to the listener first, and then to the watcher. So one or both have heard of it.)
    let isLate = hasMissedEvent || signOutListener?.hasMissedEvent == true
    (hasMissedEvent, signOutListener) = (false, nil)
    if asks, staysApart {
      if isLate || !options.asksCacheOnly { watch.refetch() }
    } else if asks {
      ask(watch, isNew: isNew, cached, isLate: isLate)
    } else if follows, isNew {
      watch.follow()
    }
    startSubscriptions()
    lookAtActivity()
    showPlaceholder()
  }

  /// Asks for the data, or follows what memory has of it.
  ///
  /// - Parameters:
  ///   - watch: The watch.
  ///   - isNew: Whether it was made for this.
  ///   - cached: What memory has.
  ///   - isLate: Whether the server is to be asked whatever the cache has: an event or a refetch has come.
  private func ask(
    _ watch: SharedWatch<Query>, isNew: Bool, _ cached: GraphQLResult<Query.Data>?, isLate: Bool
  ) {
    let policy = options.cachePolicy, isCacheFirst = policy.requestPolicy == .returnCacheDataElseFetch
    if isCacheFirst, let info = cached?.cacheInfo, info.isHit, !info.isPartial {
      if isNew { watch.follow() }
    } else if isLate, isCacheFirst || policy.revalidatesCache {
      // (What the disk has would be enough otherwise.)
      watch.ask(CachePolicy.returnCacheDataAndFetch)
    } else {
      watch.ask(policy)
    }
    if isLate, !watch.isAsking { watch.refetch() }
  }

  /// What memory has, if the cache is to be read.
  ///
  /// - Parameters:
  ///   - client: The client.
  ///   - keepsData: Whether what is shown stays otherwise. If that was in the cache, what the cache has in its place is
  ///     shown under each policy. The default is false.
  /// - Returns: What is to be shown; nil if it is not to be read, or if memory does not have all of the data.
  private func cached(_ client: ApolloClient, keepsData: Bool = false) -> GraphQLResult<Query.Data>? {
    var policy = options.cachePolicy
    // (The server is asked as well then, so values of any age are read.)
    if keepsData, isStored, !policy.requestPolicy.readsCache { policy = CachePolicy.returnCacheDataAndFetch }
    return client.readIfInMemory(query, under: policy, options.requestConfiguration)
  }

  /// Shows the placeholder until there is data.
  private func showPlaceholder() {
    guard data == nil, let placeholder = placeholder?(previousData) else { return }
    data = placeholder
    facts.isPlaceholder = true
  }
}
