import ApolloAPI
import ApolloHTTP
import Foundation
public import GraphQLExecution

/// What a ``MockNetworkTransport`` answers a request with.
public struct MockResponse: Sendable {
  enum Content: Sendable {
    case body([UInt8], status: Int, headers: [String: String])
    case cutOff([UInt8], count: Int)
    case parts(EventStream<[UInt8]>)
    case failure(any Error)
    case schema(MockSchema)
    case session(any ApolloURLSession)
    case never
  }

  let content: Content

  init(_ content: Content) { self.content = content }

  /// The data of a response, and errors of some of its fields: `.data(["hero": ["name": "R2-D2"]])`.
  ///
  /// - Parameters:
  ///   - data: The data. Objects that the cache knows by their key need their `__typename` and key fields, as a server sends
  ///     them.
  ///   - errors: The errors. The default is none.
  /// - Returns: The response.
  public static func data(_ data: GraphQLValue, errors: [ExecutionError] = []) -> MockResponse {
    json(ExecutionResult(data: data, errors: errors).json)
  }

  /// A response with errors and without data.
  ///
  /// - Parameter errors: The errors, such as `ExecutionError("Not found", extensions: ["code": "NOT_FOUND"])`.
  /// - Returns: The response.
  public static func errors(_ errors: ExecutionError...) -> MockResponse {
    json(ExecutionResult(data: nil, errors: errors).json)
  }

  /// A body as it is, with the status 200.
  ///
  /// - Parameter text: The whole body: `{"data": …}`. It need not be JSON.
  /// - Returns: The response.
  public static func json(_ text: String) -> MockResponse { json(Array(text.utf8)) }

  static func json(_ bytes: [UInt8]) -> MockResponse { MockResponse(.body(bytes, status: 200, headers: [:])) }

  /// A response with a status.
  ///
  /// - Parameters:
  ///   - code: The status, such as 503.
  ///   - body: The body. The default is empty.
  ///   - headers: The header fields. The default is none; without a `Content-Type` the body is plain text.
  /// - Returns: The response.
  public static func status(_ code: Int, body: String = "", headers: [String: String] = [:]) -> MockResponse {
    let type = headers.keys.contains { $0.lowercased() == "content-type" } ? [:] : ["Content-Type": "text/plain"]
    return MockResponse(.body(Array(body.utf8), status: code, headers: headers.merging(type) { given, _ in given }))
  }

  /// No response: the connection fails, for example with `URLError(.notConnectedToInternet)`.
  ///
  /// - Parameter error: The error of the connection.
  /// - Returns: The response.
  public static func failure(_ error: any Error) -> MockResponse { MockResponse(.failure(error)) }

  /// A response that breaks off.
  ///
  /// - Parameters:
  ///   - text: The whole body.
  ///   - count: How many bytes of it arrive.
  /// - Returns: The response.
  public static func cutOff(_ text: String, after count: Int) -> MockResponse {
    MockResponse(.cutOff(Array(text.utf8), count: count))
  }

  /// Several responses: the events of a subscription, which then ends; or the parts of a response with `@defer`.
  ///
  /// - Parameter texts: A whole response each, `{"data": …}`. Parts of one response say `hasNext`, as a server does.
  /// - Returns: The response.
  public static func parts(_ texts: [String]) -> MockResponse {
    parts(Replayed(elements: texts))
  }

  /// Responses as they come: the events of a subscription, which ends when the sequence does.
  ///
  /// Each request iterates the sequence. An `AsyncStream` has its elements for one of them: to answer several, make a stream
  /// for each, as in `respond { _ in .parts(makeStream()) }`.
  ///
  /// - Parameter texts: A whole response each. If it throws, the connection breaks.
  /// - Returns: The response.
  public static func parts<Texts: AsyncSequence & Sendable>(_ texts: Texts) -> MockResponse
  where Texts.Element == String {
    MockResponse(.parts(EventStream(texts.map { Array($0.utf8) })))
  }

  /// What a schema answers.
  ///
  /// - Parameter schema: The schema.
  /// - Returns: The response.
  public static func schema(_ schema: MockSchema) -> MockResponse { MockResponse(.schema(schema)) }

  /// No response, until the operation is cancelled or its time is over.
  public static var never: MockResponse { MockResponse(.never) }
}

/// Elements that are there already. Each iteration has all of them.
private struct Replayed<Element: Sendable>: AsyncSequence, Sendable {
  let elements: [Element]

  func makeAsyncIterator() -> Iterator { Iterator(elements: elements.makeIterator()) }

  struct Iterator: AsyncIteratorProtocol {
    var elements: IndexingIterator<[Element]>

    mutating func next() async -> Element? { elements.next() }
  }
}
