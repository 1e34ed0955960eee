@testable import ApolloRequestChain
import Apollo
import Foundation
import ScriptedServer
import Testing

@Suite("Errors that apps see, and make")
struct OwnErrorTests {
  /// A query whose variables are what a test says.
  private struct VariableQuery: GraphQLQuery {
    static let operationName = "Variable"
    static let operationDocument = OperationDocument(
      "query Variable($value: Any) { hero { __typename id name height } }")
    typealias Data = HeroQuery.Data

    var value: Double = 0
    var scalar: Unwritable?

    func __writeVariables(to writer: inout __JSONWriter) {
      writer.write("value", value)
      if let scalar { writer.write("scalar", scalar) }
    }
  }

  /// A scalar that an app has made for reading only.
  private struct Unwritable: CustomScalarType, Hashable {
    init(_jsonValue value: JSONValue) {}
    var _jsonValue: JSONValue { [Set([1]) as any Sendable] as [JSONValue] }
  }

  @Test(
    "A variable that JSON has no form for is an error, and nothing is sent",
    arguments: [Double.nan, .infinity, -.infinity])
  func unwritableNumber(value: Double) async throws {
    let requests = try await serve { _, _ in
      [.respond(hero())]
    } _: { server async throws in
      for usesGET in [false, true] {
        let error = await #expect(throws: OperationError.self) {
          try await client(server, useGETForQueries: usesGET).fetch(query: VariableQuery(value: value))
        }
        #expect(error?.code == .invalidRequest)
        #expect(error?.operationName == "Variable")
        #expect(error?.message == "The number \(value) cannot be written as JSON.")
      }
    }
    #expect(requests.isEmpty)
  }

  @Test("A scalar whose JSON holds a value that is not JSON is an error that names the type")
  func unwritableScalar() async throws {
    try await serve { _, _ in
      [.respond(hero())]
    } _: { server async throws in
      let error = await #expect(throws: OperationError.self) {
        try await client(server).fetch(query: VariableQuery(scalar: Unwritable(_jsonValue: 1)))
      }
      #expect(error?.message == "A value of type Set<Int> cannot be written as JSON.")
    }
  }

  @Test("A cache miss is the same error for every policy, style and layer, and tells record and field")
  func cacheMiss() async throws {
    let client = ApolloClient(url: URL(string: "http://127.0.0.1:9/")!)
    let wanted = ResponseDecodingError.Reason.cacheMiss(record: "QUERY_ROOT", field: "hero")
    func check(_ error: (any Error)?) {
      let cause = (error as? OperationError)?.cause as? ResponseDecodingError ?? error as? ResponseDecodingError
      #expect(cause?.isCacheMiss == true)
      #expect(cause?.reason == wanted)
      #expect((error as? any ApolloError)?.code == .cacheMiss)
    }
    check(
      await #expect(throws: (any Error).self) {
        try await client.fetch(query: HeroQuery(), cachePolicy: .returnCacheDataDontFetch)
      })
    check(await #expect(throws: (any Error).self) { try await client.store.load(HeroQuery()) })
    check(
      await #expect(throws: (any Error).self) {
        try await client.store.withinReadTransaction { try $0.read(query: HeroQuery()).hero?.id }
      })
    let called: (any Error)? = await withCheckedContinuation { continuation in
      client.fetch(query: HeroQuery(), cachePolicy: .returnCacheDataDontFetch, queue: .global()) { result in
        if case .failure(let error) = result { continuation.resume(returning: error) }
      }
    }
    check(called)
  }

  /// Refuses every operation, as an app's own interceptor does.
  private struct Refusing: HTTPStep, StepInterceptor {
    static let code = ApolloErrorCode("loggedOut")

    func intercept<Operation: GraphQLOperation>(
      request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?
    ) async throws -> NextStep<Operation> {
      throw OperationError(Self.code, "Log in first.", httpStatus: 401)
    }
  }

  @Test("Apps make errors with codes of their own, which callers of both styles get with all they have")
  func own() async throws {
    let client = ApolloClient(
      networkTransport: RequestChainNetworkTransport(
        interceptorProvider: CustomProvider(first: [Refusing()]), endpointURL: URL(string: "http://127.0.0.1:9/")!))
    let thrown = await #expect(throws: OperationError.self) { try await client.fetch(query: HeroQuery()) }
    let called: (any Error)? = await withCheckedContinuation { continuation in
      client.fetch(query: HeroQuery(), queue: .global()) { result in
        if case .failure(let error) = result { continuation.resume(returning: error) }
      }
    }
    for error in [thrown, called as? OperationError] {
      #expect(error?.code == Refusing.code)
      #expect(error?.message == "Log in first.")
      #expect(error?.httpStatus == 401)
    }
  }
}
