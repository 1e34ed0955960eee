import Apollo
import ApolloPagination
import Fixture0041
import Foundation
import OpenCombine
import Testing

/// After the tests with subscribers in the suites GraphQLQueryPagerTests and AsyncGraphQLQueryPagerTests of Apollo iOS.
/// Combine is OpenCombine here, which has the same names.
@Suite("Publishers") @MainActor struct PublisherTests {
  private let pager = GraphQLQueryPager(
    client: ApolloClient(networkTransport: Friends(), store: ApolloStore()),
    initialQuery: ListedFriendsQuery(id: "2001", first: 2),
    extractPageInfo: { data in
      let info = data.hero?.friends?.pageInfo
      return CursorBasedPagination.Forward(hasNext: info?.hasNextPage ?? false, endCursor: info?.endCursor)
    },
    pageResolver: { page, direction in
      direction == .next
        ? ListedFriendsQuery(id: "2001", first: 2, after: page.endCursor.map { .some($0) } ?? .none) : nil
    })

  private typealias Pages = PaginationOutput<ListedFriendsQuery, ListedFriendsQuery>

  nonisolated private static func names(_ output: Result<Pages, any Error>) -> [String] {
    ((try? output.get().allData) ?? []).flatMap { $0.hero?.friends?.nodes ?? [] }.compactMap { $0?.name }
  }

  @Test("A subscriber is given all outputs")
  func sink() async throws {
    var names: [[String]] = []
    let subscription = pager.sink { names.append(Self.names($0)) }
    await pager.fetch()
    try await pager.loadNext()
    #expect(names == [["Luke", "Han"], ["Luke", "Han", "Leia"]])
    subscription.cancel()
  }

  @Test("Who subscribes later is given the last output")
  func replay() async throws {
    await pager.fetch()
    var names: [[String]] = []
    let subscription = pager.compactMap { Self.names($0) }.sink { names.append($0) }
    try await pager.loadNext()
    #expect(names == [["Luke", "Han"], ["Luke", "Han", "Leia"]])
    subscription.cancel()
  }

  @Test("A subscription that was cancelled is given nothing")
  func cancelled() async throws {
    var count = 0
    let subscription = pager.sink { _ in count += 1 }
    await pager.fetch()
    subscription.cancel()
    try await pager.loadNext()
    #expect(count == 1)
  }

  @Test("Each subscriber is given as many outputs as it asks for, and the last one")
  func demand() async throws {
    let slow = Slow<Result<Pages, any Error>>()
    pager.subscribe(slow)
    await pager.fetch()
    try await pager.loadNext()
    #expect(slow.values.map(Self.names) == [])
    slow.subscription?.request(.max(1))
    #expect(slow.values.map(Self.names) == [["Luke", "Han", "Leia"]])
  }

  @Test("The asynchronous pager of Apollo iOS 1 is a publisher, too, and the subscription ends with it")
  func asynchronous() async throws {
    var pager: AsyncGraphQLQueryPager? = AsyncGraphQLQueryPager(
      client: ApolloClient(networkTransport: Friends(), store: ApolloStore()),
      initialQuery: FriendsQuery(id: "2001", first: 2),
      extractPageInfo: { (data: FriendsQuery.Data) in
        let info = data.hero?.friends?.pageInfo
        return CursorBasedPagination.Forward(hasNext: info?.hasNextPage ?? false, endCursor: info?.endCursor)
      },
      pageResolver: { page, _ in
        FriendsQuery(id: "2001", first: 2, after: page.endCursor.map { .some($0) } ?? .none)
      })
    var counts: [Int] = [], isFinished = false
    let subscription = pager?.sink { _ in
      isFinished = true
    } receiveValue: { output in
      counts.append((try? output.get().allPages.count) ?? -1)
    }
    try await pager?.loadAll()
    #expect(counts == [2])
    pager = nil
    #expect(isFinished)
    subscription?.cancel()
  }
}

/// A subscriber that is given nothing until it asks for it.
private final class Slow<Input>: Subscriber {
  typealias Failure = Never
  var values: [Input] = []
  var subscription: (any Subscription)?

  func receive(subscription: any Subscription) { self.subscription = subscription }
  func receive(_ input: Input) -> Subscribers.Demand {
    values.append(input)
    return .none
  }
  func receive(completion: Subscribers.Completion<Never>) {}
}

/// Answers with the friends behind a cursor.
private final class Friends: ResponseTransport {
  func exchange<Operation: GraphQLOperation>(
    _ request: OperationRequest<Operation>, receive: @escaping @Sendable (TransportResponse) async throws -> Void
  ) async throws {
    let isFirst = !String(decoding: request.operation.variables.json, as: UTF8.self).contains("after")
    let nodes = (isFirst ? ["Luke", "Han"] : ["Leia"])
      .map { #"{"__typename":"Character","id":"\#($0)","name":"\#($0)"}"# }.joined(separator: ",")
    let body = """
      {"data":{"hero":{"__typename":"Character","id":"2001","name":"R2-D2","friends":{"__typename":"FriendsConnection",\
      "totalCount":3,"nodes":[\(nodes)],"pageInfo":{"__typename":"PageInfo","hasNextPage":\(isFirst),\
      "hasPreviousPage":\(!isFirst),"startCursor":"\(isFirst ? "a" : "c")","endCursor":"\(isFirst ? "b" : "c")"}}}}}
      """
    try await receive(TransportResponse(Data(body.utf8)))
  }
}
