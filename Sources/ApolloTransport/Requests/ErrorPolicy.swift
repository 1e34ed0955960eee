package import ApolloAPI

/// What becomes of a result that has errors of fields: of ``GraphQLResult/errors``. It has the names of Apollo Client.
///
/// It holds for the results of the server and of the cache, for watchers, and for each part of an incremental response.
/// It has no effect on what ends an operation without a result, such as a failure of the network. A mutation of the outbox
/// that the server has done in part is done, so for it ``none`` is what ``all`` is.
public enum ErrorPolicy: Hashable, Sendable {
  /// As the context and the client's ``ApolloClient/defaultRequestConfiguration`` say, and otherwise ``all``.
  case inherited
  /// The result is a failure: an ``OperationError`` with the code ``ApolloErrorCode/operationRefused``, whose `cause` is a
  /// ``ResultError``. Nothing of it is written to the cache, and the guess of a mutation is taken back. Such a result ends a
  /// subscription; a watcher goes on.
  case none
  /// The result has its data and no errors. It is written to the cache. A result without data keeps its errors, as they
  /// are all that it has.
  case ignore
  /// The result has its data and its errors, and is written to the cache. It is what Apollo iOS does.
  case all
}

extension ErrorPolicy {
  /// What a caller is given for a result.
  ///
  /// - Parameters:
  ///   - result: The result.
  ///   - operationName: The name of its operation.
  /// - Returns: The result, without its errors if they are ignored.
  /// - Throws: ``OperationError`` for a result with errors, if none may have any.
  package func apply<Data: SelectionSet>(
    to result: GraphQLResult<Data>, of operationName: String
  ) throws -> GraphQLResult<Data> {
    guard let errors = result.errors, !errors.isEmpty else { return result }
    switch self {
    case .all, .inherited: return result
    case .ignore:
      guard result.hasData else { return result }
      var result = result
      result.ignoreErrors()
      return result
    case .none:
      let error = ResultError(result)
      throw OperationError(
        error.code, error.message, operationName: operationName, path: errors[0].path ?? [],
        httpStatus: error.httpStatus, cause: error)
    }
  }
}
