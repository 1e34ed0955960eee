@testable import ApolloRequestChain
import Apollo
import Fixture0020
import Foundation
import StyledTests
import Testing

@Suite("Records that an interceptor makes anew", .everyStyle)
struct RemadeRecordsTests {
  private struct Remaking: HTTPStep, StepInterceptor {
    func intercept<Operation: GraphQLOperation>(
      request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?
    ) async throws -> NextStep<Operation> {
      if let records = response?.cacheRecords { response?.cacheRecords = RecordSet(records: records.storage.values) }
      return .proceed(response)
    }
  }

  private struct Provider: InterceptorProvider {
    let store: ApolloStore
    let parts: [String]

    func interceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any ApolloInterceptor] {
      [
        PartsInterceptor(parts: parts), JSONResponseParsingInterceptor(), Remaking(),
        CacheWriteInterceptor(store: store),
      ]
    }
  }

  private static func heroes(_ ids: [Int]) -> String {
    ids.map { #"{"__typename":"Droid","id":"\#($0)","name":"d\#($0)"}"# }.joined(separator: ",")
  }

  private static func send(_ parts: [String], _ store: ApolloStore) async {
    let transport = RequestChainNetworkTransport(
      interceptorProvider: Provider(store: store, parts: parts), endpointURL: URL(string: "http://localhost/")!)
    let client = ApolloClient(networkTransport: transport, store: store)
    do {
      for try await _ in client.results(of: StreamedQuery(), cachePolicy: .fetchIgnoringCacheData) {}
    } catch {}
  }

  @Test(
    "A list that is still streamed does not shorten that of the cache; the complete one does", arguments: [true, false])
  func streamed(isComplete: Bool) async throws {
    let store = ApolloStore()
    await Self.send([#"{"data":{"heroes":[\#(Self.heroes([1, 2, 3]))]}}"#], store)
    let first =
      #"{"data":{"heroes":[\#(Self.heroes([4]))]},"pending":[{"id":"0","path":["heroes"]}],"hasNext":true}"#
    await Self.send([first] + (isComplete ? [#"{"completed":[{"id":"0"}],"hasNext":false}"#] : []), store)
    #expect(try await store.load(StreamedQuery()).heroes.map(\.id) == (isComplete ? ["4"] : ["1", "2", "3"]))
  }
}
