public import ApolloAPI
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Why an operation has no result. The `async` functions of the client throw it, or `CancellationError`.
public struct OperationError: ApolloError {
  public let code: ApolloErrorCode
  public let message: String
  public let operationName: String?
  public let path: [PathComponent]
  public let httpStatus: Int?
  public let cause: (any Error)?

  init(
    _ code: ApolloErrorCode, _ message: String, operationName: String?, path: [PathComponent] = [],
    httpStatus: Int? = nil, cause: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.operationName = operationName
    self.path = path
    self.httpStatus = httpStatus
    self.cause = cause
  }

  /// Adds the operation to an error that may not know it.
  static func wrap(_ error: any Error, operationName: String) -> any Error {
    switch error {
    case let error as OperationError: return error
    case is CancellationError: return error
    case let error as any ApolloError:
      return OperationError(
        error.code, error.message, operationName: error.operationName ?? operationName, path: error.path,
        httpStatus: error.httpStatus, cause: error)
    case let error as ResponseDecodingError:
      return OperationError(
        error.isCacheMiss ? .cacheMiss : .invalidResponse, error.message, operationName: operationName,
        path: error.path, cause: error)
    case let error as URLError where error.code == .cancelled: return CancellationError()
    case let error as URLError:
      return OperationError(.network, error.explanation, operationName: operationName, cause: error)
    default: return OperationError(.other, "\(error)", operationName: operationName, cause: error)
    }
  }
}
