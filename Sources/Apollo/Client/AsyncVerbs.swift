import ApolloOperations
import ApolloTransport
public import ApolloAPI

/// The functions of every client for `async` code that have one result.
///
/// Code names ``ApolloClient`` and ``ApolloClientProtocol``, which have these functions. They are in a protocol of their own
/// because functions of the same names that an app has in an extension of either of them come first then, whatever other
/// parameters those have.
public protocol AsyncVerbs: AnyObject {
  /// The client whose functions with callbacks the verbs call: this one.
  var clientOfVerbs: any ApolloClientProtocol { get }
}

extension ApolloClientProtocol {
  /// This client.
  public var clientOfVerbs: any ApolloClientProtocol { self }
}

extension AsyncVerbs {
  /// Runs a query and waits for its result.
  ///
  ///     let result = try await client.fetch(query: HeroQuery(episode: .empire))
  ///     print(result.data?.hero?.name ?? "no hero")
  ///
  /// With `returnCacheDataAndFetch` it is the server's; ``ApolloClient/results(of:cachePolicy:requestConfiguration:context:)``
  /// has both.
  ///
  /// - Parameters:
  ///   - query: The query to run, with its variables.
  ///   - cachePolicy: When the cache is read and when the server is asked.
  ///   - requestConfiguration: What is different for this operation: timeout, header fields and so on. Only an
  ///     ``ApolloClient`` uses it. nil, the default: nothing.
  ///   - context: A value for interceptors of the app. nil: none.
  /// - Returns: The result of the query. With `returnCacheDataAndFetch` it is the server's result.
  /// - Throws: ``OperationError``, whose `cause` is the error that a handler would get; or `CancellationError`, and then
  ///   the operation has been cancelled as well.
  @_disfavoredOverload
  nonisolated(nonsending) public func fetch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy = .default, requestConfiguration: RequestConfiguration? = nil,
    context: (any RequestContext)? = nil
  ) async throws -> GraphQLResult<Query.Data> {
    if let client = self as? ApolloClient {
      return try await client.lastResult(
        of: client.route.run(
          of: query, cachePolicy, requestConfiguration, context, client.defaultRequestConfiguration))
    }
    return try await clientOfVerbs.lastResult(of: query, under: cachePolicy, requestConfiguration, context)
  }

  /// Runs a mutation and waits for its result.
  ///
  /// - Parameters:
  ///   - mutation: The mutation to run, with its variables.
  ///   - publishResultToStore: Whether the result is written to the cache. The default is true.
  ///   - requestConfiguration: What is different for this operation: timeout, header fields and so on. Only an
  ///     ``ApolloClient`` uses it. nil, the default: nothing.
  ///   - context: A value for interceptors of the app. nil: none.
  /// - Returns: The result of the mutation.
  /// - Throws: ``OperationError``, or `CancellationError`, and then the operation has been cancelled as well.
  @_disfavoredOverload @discardableResult
  nonisolated(nonsending) public func perform<Mutation: GraphQLMutation>(
    mutation: Mutation, publishResultToStore: Bool = true, requestConfiguration: RequestConfiguration? = nil,
    context: (any RequestContext)? = nil
  ) async throws -> GraphQLResult<Mutation.Data> {
    if let client = self as? ApolloClient {
      let policy = publishResultToStore ? CachePolicy.default : .fetchIgnoringCacheCompletely
      return try await client.lastResult(
        of: OperationCall(mutation, cachePolicy: policy, context: context, configuration: requestConfiguration))
    }
    let client = clientOfVerbs
    return try await client.lastResult(
      of: Mutation.self,
      in: client.callbackResults(of: Mutation.self, under: .fetchIgnoringCacheData) { queue, handler in
        client.perform(
          mutation: mutation, publishResultToStore: publishResultToStore, contextIdentifier: nil, context: context,
          queue: queue, resultHandler: handler)
      })
  }

  /// Runs an operation, sends files with it, and waits for its result.
  ///
  /// - Parameters:
  ///   - operation: The operation to run, with its variables.
  ///   - files: The files. Each names the variable whose value it is.
  ///   - requestConfiguration: What is different for this operation: timeout, header fields and so on. Only an
  ///     ``ApolloClient`` uses it. nil, the default: nothing.
  ///   - context: A value for interceptors of the app. nil: none.
  /// - Returns: The result of the operation.
  /// - Throws: ``OperationError``, or `CancellationError`, and then the operation has been cancelled as well.
  @_disfavoredOverload @discardableResult
  nonisolated(nonsending) public func upload<Operation: GraphQLOperation>(
    operation: Operation, files: [GraphQLFile], requestConfiguration: RequestConfiguration? = nil,
    context: (any RequestContext)? = nil
  ) async throws -> GraphQLResult<Operation.Data> {
    if let client = self as? ApolloClient {
      return try await client.lastResult(
        of: OperationCall(
          operation, cachePolicy: .default, context: context, configuration: requestConfiguration, files: files))
    }
    let client = clientOfVerbs
    return try await client.lastResult(
      of: Operation.self,
      in: client.callbackResults(of: Operation.self, under: .fetchIgnoringCacheData) { queue, handler in
        client.upload(operation: operation, files: files, context: context, queue: queue, resultHandler: handler)
      })
  }
}
