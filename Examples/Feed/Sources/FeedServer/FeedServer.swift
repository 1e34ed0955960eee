import Apollo
import FeedSchema
import Foundation
import GraphQLExecution
import GraphQLSchema
import GraphQLSyntax

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A GraphQL server with some posts. It takes the place of a client's URL session, so there is no network.
///
///     let server = try FeedServer()
///     let client = server.client()
public final class FeedServer: ApolloURLSession {
  /// What the server does wrong.
  public enum Fault: Sendable {
    /// A like is answered with an error.
    case refusesLikes
    /// There is no answer at all, as without a network.
    case isUnreachable
  }

  private let posts: Posts
  private let schema: ExecutableSchema

  /// Makes a server.
  ///
  /// - Parameters:
  ///   - count: How many posts there are.
  ///   - latency: How long the server takes for an answer.
  public init(posts count: Int = 7, latency: Duration = .zero) throws {
    let posts = Posts(count: count, latency: latency)
    self.posts = posts
    schema = try ExecutableSchema(
      Schema.build(from: [Source(FeedSchema.text, name: "schema.graphqls")]).get(),
      resolvers: [
        "Query.feed": { context in
          await posts.page(
            first: context.arguments["first"]?.int ?? 0, after: context.arguments["after"]?.string)
        },
        "Mutation.like": { try await posts.like($0.arguments["post"]?.string ?? "") },
      ])
  }

  /// Makes a client of this server, with a cache of its own.
  public func client() -> ApolloClient {
    ApolloClient(configuration: .init(url: URL(string: "http://feed.example/graphql")!, http: .init(session: self)))
  }

  /// Sets what the server does wrong from now on. nil: nothing.
  public func set(_ fault: Fault?) async { await posts.set(fault) }

  /// Holds back all answers from now on, so that one can see what is shown before them.
  public func hold() async { await posts.hold() }

  /// Sends the answers that were held back.
  public func letGo() async { await posts.letGo() }

  /// Likes a post as another user of the server.
  public func likeAsSomebodyElse(_ id: String) async { await posts.likeAsSomebodyElse(id) }

  /// Answers a request.
  public func chunks(for request: URLRequest) async throws -> (any AsyncChunkSequence, URLResponse) {
    try await posts.answerLater()
    let request = (url: request.url!, body: Array(request.httpBody ?? Data()))
    guard case .result(let result) = await schema.respond(to: try ExecutionRequest(json: request.body)) else {
      throw URLError(.badServerResponse)
    }
    let response = HTTPURLResponse(
      url: request.url, statusCode: 200, httpVersion: "1.1",
      headerFields: ["Content-Type": "application/graphql-response+json"])!
    return (ChunkedHTTPResponse.Chunks(Data(result.json)), response)
  }
}
