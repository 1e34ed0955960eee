import ApolloAPI
import ApolloCache
import ApolloTransport
import Observation

// What the states of screens tell, apart from the states. `@Observable` names each property by a key path, and one of a generic
// type is made anew at each access, which takes some 40,000 instructions. These types are not generic. A property whose own type
// is generic stands in its state, and its number of changes here: observers of the number are observers of the property.

/// What a ``QueryState`` tells.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
@MainActor @Observable
final class QueryFacts {
  var isPlaceholder = false
  var dataState = DataState.empty
  var fetchStatus = FetchStatus.idle
  var isFetchingMore = false
  var error: (any Error)?
  var errors: [GraphQLError] = []
  var cacheInfo: CacheInfo?
  var isStale = false
  var isSkipped = false
  var isCancelled = false
  var pollInterval: Double?
  var data = 0
  var previousData = 0
  var query = 0
}

/// What a ``FragmentState`` tells.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
@MainActor @Observable
final class FragmentFacts {
  var key: CacheKey
  var data = 0

  init(_ key: CacheKey) { self.key = key }
}

/// What a ``MutationState`` tells.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
@MainActor @Observable
final class MutationFacts {
  var isRunning = false
  var error: (any Error)?
  var result = 0
}

/// What an ``EventState`` tells.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
@MainActor @Observable
final class EventFacts {
  var errors: [GraphQLError] = []
  var connection: SubscriptionState?
  var error: (any Error)?
  var isSkipped = false
  var data = 0
  var subscription = 0
}

/// What a ``PagerState`` tells.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
@MainActor @Observable
final class PagerFacts {
  var hasNext = false
  var hasPrevious = false
  var isLoading = false
  var isLoadingNext = false
  var isLoadingPrevious = false
  var error: (any Error)?
  var errorNext: (any Error)?
  var errorPrevious: (any Error)?
  var errors: [GraphQLError] = []
  var hasLoaded = false
  var items = 0
}
