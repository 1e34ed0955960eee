import Apollo
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("What an app shows of an error")
struct LocalizedErrorTests {
  /// What an app gets that knows no more than `Error`.
  func shown(_ error: any Error) -> String { error.localizedDescription }

  @Test("An error of a server is its message")
  func graphQL() {
    #expect(shown(GraphQLError("boom")) == "boom")
    #expect(GraphQLError("boom").errorDescription == "boom")
    let error = GraphQLError(["message": "no", "path": ["hero", 1] as [any Sendable]])
    #expect(error.path?.first as GraphQLError.PathEntry? == .field("hero"))
  }

  @Test("Errors of the client are their sentence")
  func client() {
    let response = HTTPURLResponse(
      url: URL(string: "http://server/graphql")!, statusCode: 503, httpVersion: nil, headerFields: nil)
    let code = ResponseCodeInterceptor.ResponseCodeError.invalidResponseCode(response: response, rawData: nil)
    #expect(shown(code) == code.description)
    #expect(code.errorDescription?.contains("503") == true)
    let session = URLSessionClient.URLSessionClientError.sessionInvalidated
    #expect(session.errorDescription == "The URL session was invalidated before the request.")
    let retries = MaxRetryInterceptor.RetryError.hitMaxRetryCount(count: 3, operationName: "Hero")
    #expect(shown(retries).hasPrefix("Hero: "))
    // As in release 2.
    let known = (retries as any Error) as? MaxRetryInterceptor.MaxRetriesError
    let name: String? = known.map { (error: MaxRetryInterceptor.MaxRetriesError) -> String in error.operationName }
    #expect(known?.count == 3 && name == "Hero" && (retries as any ApolloError).operationName == "Hero")
  }

  @Test("Errors that have no place in the client are, too: of scalars, of decoding, of the cache")
  func others() throws {
    #expect(shown(JSONDecodingError.missingValue) == "The value is missing.")
    #expect(shown(JSONEncodingError.notEncodable(Int.self)).contains("Int"))
    #expect(shown(ParseableError.notYetImplemented) == "This is not implemented yet.")
    let error = #expect(throws: ResponseDecodingError.self) {
      _ = try HeroQuery.Data(jsonObject: ["hero": ["__typename": "Droid", "id": "1", "name": [1]] as JSONObject])
    }
    #expect(error.map(shown)?.contains("hero.name") == true)
  }

  @Test("The first error of a body that is not a success is there, and any other JSON object is one")
  func bodies() {
    func error(_ body: String) -> GraphQLError? {
      ResponseCodeInterceptor.ResponseCodeError.invalidResponseCode(response: nil, rawData: Data(body.utf8))
        .graphQLError
    }
    #expect(error(#"{"errors":[{"message":"a"},{"message":"b"}]}"#)?.message == "a")
    #expect(error(#"{"message":"down"}"#)?.message == "down")
    #expect(error(#"{"reason":"down"}"#)?["reason"] as? String == "down")
    #expect(error("[]") == nil)
    #expect(error("<html>") == nil)
  }
}
