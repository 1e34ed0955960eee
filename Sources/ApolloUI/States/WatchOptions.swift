import Apollo
import ApolloAPI
import ApolloCache
import ApolloTransport
import Foundation

/// How the query of a state is asked for.
struct WatchOptions {
  var cachePolicy: any QueryCachePolicy
  // (Few states have one, and it is large.)
  @__Indirect var requestConfiguration: RequestConfiguration?
  var refetchPolicy: ApolloClient.WatchRefetchPolicy

  /// Whether the server is only asked by a refetch.
  var asksCacheOnly: Bool { cachePolicy.requestPolicy == .returnCacheDataDontFetch }

  /// Whether a query is asked for in the same way.
  func areLike(_ others: WatchOptions) -> Bool {
    guard AnyHashable(cachePolicy) == AnyHashable(others.cachePolicy), refetchPolicy == others.refetchPolicy else {
      return false
    }
    return agree(requestConfiguration, others.requestConfiguration) { $0.isLike($1) }
  }
}

/// Whether two values are alike, or neither is there.
private func agree<Value>(_ one: Value?, _ other: Value?, _ areLike: (Value, Value) -> Bool) -> Bool {
  switch (one, other) {
  case (nil, nil): true
  case (let one?, let other?): areLike(one, other)
  default: false
  }
}

extension RequestConfiguration {
  /// Whether all members are equal. Of closures only counts whether they are there, because a view makes them anew each
  /// time.
  fileprivate func isLike(_ other: RequestConfiguration) -> Bool {
    guard numbers == other.numbers, switches == other.switches, headers == other.headers,
      endpointURL == other.endpointURL, bodyText == other.bodyText, buffering == other.buffering
    else { return false }
    guard agree(refetchesOn, other.refetchesOn, { $0.isLike($1) }) else { return false }
    return ttlEnforcement == other.ttlEnforcement && errorPolicy == other.errorPolicy && onError == other.onError
  }

  // (Bits, because a value that is not a number is not equal to itself.)
  private var numbers: [UInt64?] { [requestTimeout, deadline, maxStale, pollInterval].map { $0?.bitPattern } }

  /// (Values of JSON have many types, so their texts are compared.)
  private var bodyText: [UInt8] {
    var writer = __JSONWriter()
    writer.writeJSON(bodyExtensions)
    return writer.bytes
  }

  private var switches: [Bool?] {
    [
      onProgress != nil, isRepeatable, deduplicates, batches, writeResultsToCache,
      returnsPartialData, doNotStore, memoryOnly,
      writesToCacheAsynchronously, failsFastWhenOffline, waitsForNetwork,
    ]
  }
}
