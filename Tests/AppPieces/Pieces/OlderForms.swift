import Apollo
import Fixture0001
import Foundation

// What stands in for a client or a transport, as written for release 1.0, which knew no context, and for 1.25.

public class FirstTransport: NetworkTransport, UploadingNetworkTransport {
  public var calls: [String] = []

  public init() {}

  public func send<Operation: GraphQLOperation>(
    operation: Operation, cachePolicy: CachePolicy, contextIdentifier: UUID?, callbackQueue: DispatchQueue,
    completionHandler: @escaping (Result<GraphQLResult<Operation.Data>, Error>) -> Void
  ) -> Cancellable {
    calls.append("send \(Operation.operationName)")
    completionHandler(.failure(URLError(.cancelled)))
    return EmptyCancellable()
  }

  public func upload<Operation: GraphQLOperation>(
    operation: Operation, files: [GraphQLFile], callbackQueue: DispatchQueue,
    completionHandler: @escaping (Result<GraphQLResult<Operation.Data>, Error>) -> Void
  ) -> Cancellable {
    calls.append("upload \(Operation.operationName)")
    completionHandler(.failure(URLError(.cancelled)))
    return EmptyCancellable()
  }
}

/// It implements nothing, which only 1.x's compiler would have noticed.
public class NoTransport: NetworkTransport {
  public init() {}
}

/// As of release 1.0.
public class FirstClient: ApolloClientProtocol {
  public let store = ApolloStore()
  public var calls: [String] = []

  public init() {}

  public func clearCache(callbackQueue: DispatchQueue, completion: ((Result<Void, Error>) -> Void)?) {
    calls.append("clear")
  }

  public func fetch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy, contextIdentifier: UUID?, queue: DispatchQueue,
    resultHandler: GraphQLResultHandler<Query.Data>?
  ) -> Cancellable {
    calls.append("fetch")
    resultHandler?(.failure(URLError(.cancelled)))
    return EmptyCancellable()
  }

  public func watch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy, callbackQueue: DispatchQueue,
    resultHandler: @escaping GraphQLResultHandler<Query.Data>
  ) -> GraphQLQueryWatcher<Query> {
    calls.append("watch")
    return GraphQLQueryWatcher(client: self, query: query, callbackQueue: callbackQueue, resultHandler: resultHandler)
  }

  public func perform<Mutation: GraphQLMutation>(
    mutation: Mutation, publishResultToStore: Bool, queue: DispatchQueue,
    resultHandler: GraphQLResultHandler<Mutation.Data>?
  ) -> Cancellable {
    calls.append("perform")
    return EmptyCancellable()
  }

  public func upload<Operation: GraphQLOperation>(
    operation: Operation, files: [GraphQLFile], queue: DispatchQueue,
    resultHandler: GraphQLResultHandler<Operation.Data>?
  ) -> Cancellable {
    calls.append("upload")
    return EmptyCancellable()
  }

  public func subscribe<Subscription: GraphQLSubscription>(
    subscription: Subscription, queue: DispatchQueue, resultHandler: @escaping GraphQLResultHandler<Subscription.Data>
  ) -> Cancellable {
    calls.append("subscribe")
    return EmptyCancellable()
  }
}

/// As of release 1.25.
public class LastClient: ApolloClientProtocol {
  public let store = ApolloStore()
  public var calls: [String] = []

  public init() {}

  public func clearCache(callbackQueue: DispatchQueue, completion: ((Result<Void, Error>) -> Void)?) {
    calls.append("clear")
  }

  public func fetch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy, contextIdentifier: UUID?, context: RequestContext?, queue: DispatchQueue,
    resultHandler: GraphQLResultHandler<Query.Data>?
  ) -> Cancellable {
    calls.append("fetch")
    return EmptyCancellable()
  }

  public func watch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy, context: RequestContext?, callbackQueue: DispatchQueue,
    resultHandler: @escaping GraphQLResultHandler<Query.Data>
  ) -> GraphQLQueryWatcher<Query> {
    calls.append("watch")
    return GraphQLQueryWatcher(client: self, query: query, callbackQueue: callbackQueue, resultHandler: resultHandler)
  }

  public func perform<Mutation: GraphQLMutation>(
    mutation: Mutation, publishResultToStore: Bool, contextIdentifier: UUID?, context: RequestContext?,
    queue: DispatchQueue, resultHandler: GraphQLResultHandler<Mutation.Data>?
  ) -> Cancellable {
    calls.append("perform")
    return EmptyCancellable()
  }

  public func upload<Operation: GraphQLOperation>(
    operation: Operation, files: [GraphQLFile], context: RequestContext?, queue: DispatchQueue,
    resultHandler: GraphQLResultHandler<Operation.Data>?
  ) -> Cancellable {
    calls.append("upload")
    return EmptyCancellable()
  }

  public func subscribe<Subscription: GraphQLSubscription>(
    subscription: Subscription, context: RequestContext?, queue: DispatchQueue,
    resultHandler: @escaping GraphQLResultHandler<Subscription.Data>
  ) -> Cancellable {
    calls.append("subscribe")
    return EmptyCancellable()
  }
}

/// As of releases 0.45 to 1.2, where an interceptor has no `id`.
public nonisolated struct FieldInterceptor: ApolloInterceptor {
  let name: String
  let value: String

  public func interceptAsync<Operation: GraphQLOperation>(
    chain: RequestChain, request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?,
    completion: @escaping (Result<GraphQLResult<Operation.Data>, Error>) -> Void
  ) {
    request.addHeader(name: name, value: value)
    chain.proceedAsync(request: request, response: response, completion: completion)
  }
}

/// Two interceptors of one type, before those of the library.
public nonisolated final class FieldProvider: DefaultInterceptorProvider {
  public override func interceptors<Operation: GraphQLOperation>(for operation: Operation) -> [ApolloInterceptor] {
    let own: [ApolloInterceptor] = [
      FieldInterceptor(name: "X-App", value: "pieces"), FieldInterceptor(name: "X-Language", value: "sv"),
    ]
    return own + super.interceptors(for: operation)
  }
}

/// A JSON value to compare. In release 1 each was an `AnyHashable`.
public func member(_ name: String, of object: JSONObject) -> AnyHashable? { object[name] as? AnyHashable }

/// Calls of all forms.
public func callAll(_ client: ApolloClientProtocol) {
  let query = ReviewsQuery(), mutation = CreateReviewMutation(review: ReviewInput(stars: 1))
  _ = client.fetch(query: query, cachePolicy: .default, contextIdentifier: nil, context: nil, queue: .main) { _ in }
  _ = client.fetch(query: query, cachePolicy: .default, contextIdentifier: nil, queue: .main) { _ in }
  _ = client.fetch(query: query, cachePolicy: .default, context: nil, queue: .main) { _ in }
  _ = client.watch(query: query, cachePolicy: .default, context: nil, callbackQueue: .main) { _ in }
  _ = client.watch(query: query, cachePolicy: .default, callbackQueue: .main) { _ in }
  _ = client.perform(
    mutation: mutation, publishResultToStore: true, contextIdentifier: nil, context: nil, queue: .main
  ) { _ in }
  _ = client.perform(mutation: mutation, publishResultToStore: true, context: nil, queue: .main) { _ in }
  _ = client.perform(mutation: mutation, publishResultToStore: true, queue: .main) { _ in }
  _ = client.upload(operation: mutation, files: [], context: nil, queue: .main) { _ in }
  _ = client.upload(operation: mutation, files: [], queue: .main) { _ in }
  _ = client.subscribe(subscription: ReviewAddedSubscription(), context: nil, queue: .main) { _ in }
  _ = client.subscribe(subscription: ReviewAddedSubscription(), queue: .main) { _ in }
}
