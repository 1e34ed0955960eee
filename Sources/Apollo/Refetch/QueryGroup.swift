import ApolloAPI

/// What became of a request of a watcher.
enum RequestFate {
  /// The answer is in the cache, where all watchers of the query have it.
  case shared
  /// It has failed, or its answer is not in the cache: only its own watcher was told.
  case own
  /// It was cancelled, with its watcher or by it, and no other request of the watcher has taken its place.
  case cancelled
}

/// Watchers of one query, which the first of them sends for all.
///
/// An answer that is in the cache reaches all of them. Without one, the others send the query as well: the next one if
/// the request was cancelled, and each of them if it has failed, or if its answer was not stored.
struct QueryGroup: Sendable {
  private struct Member: Sendable {
    // (One that is released meanwhile must not be kept by this.)
    weak var query: (any ActiveQuery)?
  }

  let query: any GraphQLQuery
  private var members: [Member]

  /// Puts queries that are equal and share their answers into one group; each of the others is a group by itself.
  ///
  /// - Parameter queries: The queries, in the order in which they are sent.
  /// - Returns: The groups, in the order of their first members.
  static func groups(of queries: [any ActiveQuery]) -> [QueryGroup] {
    var groups: [QueryGroup] = []
    var places: [AnyHashable: Int] = [:]
    for query in queries {
      let key = AnyHashable(query.watchedQuery), member = Member(query: query)
      if query.sharesAnswers, let place = places[key] {
        groups[place].members.append(member)
      } else {
        if query.sharesAnswers { places[key] = groups.count }
        groups.append(QueryGroup(query: query.watchedQuery, members: [member]))
      }
    }
    return groups
  }

  /// Sends the query. The request has begun when this returns.
  ///
  /// - Returns: A task that ends when the watchers have an answer or a failure. Its value is false if all requests were
  ///   cancelled. nil if none of the watchers is left.
  @discardableResult func send() -> Task<Bool, Never>? {
    var rest = members[...]
    guard let request = Self.sendNext(of: &rest) else { return nil }
    let others = rest
    return Task { await Self.follow(request, others) }
  }

  private static func sendNext(of members: inout ArraySlice<Member>) -> Task<RequestFate, Never>? {
    while let member = members.popFirst() {
      if let request = member.query?.sendAgain() { return request }
    }
    return nil
  }

  private static func follow(_ first: Task<RequestFate, Never>, _ others: ArraySlice<Member>) async -> Bool {
    var request = first, rest = others
    while true {
      switch await request.value {
      case .shared: return true
      case .own:
        let requests = rest.compactMap { $0.query?.sendAgain() }
        for request in requests { _ = await request.value }
        return true
      case .cancelled:
        guard let next = sendNext(of: &rest) else { return false }
        request = next
      }
    }
  }
}
