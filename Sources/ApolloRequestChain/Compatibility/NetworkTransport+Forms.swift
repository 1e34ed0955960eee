public import ApolloTransport
public import ApolloAPI
public import Foundation

// The requirements of a transport in two forms: with `context:`, as since Apollo iOS 1.3, and without. A transport
// implements one form; callers may use both.

extension NetworkTransport {
  /// Sends an operation with the form without `context:`, which transports for Apollo iOS 0.34 to 1.2 implement. The
  /// context is lost.
  public func send<Operation: GraphQLOperation>(
    operation: Operation, cachePolicy: CachePolicy, contextIdentifier: UUID?, context: (any RequestContext)?,
    callbackQueue: DispatchQueue, completionHandler: @escaping GraphQLResultHandler<Operation.Data>
  ) -> any Cancellable {
    RequirementForms.call(of: self, "send", form: 0, of: 2) {
      send(
        operation: operation, cachePolicy: cachePolicy, contextIdentifier: contextIdentifier,
        callbackQueue: callbackQueue, completionHandler: completionHandler)
    } fail: {
      failMissing("send", of: self, on: callbackQueue, completionHandler)
    }
  }

  /// Sends an operation without a context.
  @_disfavoredOverload
  public func send<Operation: GraphQLOperation>(
    operation: Operation, cachePolicy: CachePolicy, contextIdentifier: UUID?, callbackQueue: DispatchQueue,
    completionHandler: @escaping GraphQLResultHandler<Operation.Data>
  ) -> any Cancellable {
    RequirementForms.call(of: self, "send", form: 1, of: 2) {
      send(
        operation: operation, cachePolicy: cachePolicy, contextIdentifier: contextIdentifier, context: nil,
        callbackQueue: callbackQueue, completionHandler: completionHandler)
    } fail: {
      failMissing("send", of: self, on: callbackQueue, completionHandler)
    }
  }
}

extension UploadingNetworkTransport {
  /// Sends files with the form without `context:`, which transports for Apollo iOS 0.34 to 1.2 implement. The context
  /// is lost.
  public func upload<Operation: GraphQLOperation>(
    operation: Operation, files: [GraphQLFile], context: (any RequestContext)?, callbackQueue: DispatchQueue,
    completionHandler: @escaping GraphQLResultHandler<Operation.Data>
  ) -> any Cancellable {
    RequirementForms.call(of: self, "upload", form: 0, of: 2) {
      upload(operation: operation, files: files, callbackQueue: callbackQueue, completionHandler: completionHandler)
    } fail: {
      failMissing("upload", of: self, on: callbackQueue, completionHandler)
    }
  }

  /// Sends files without a context.
  @_disfavoredOverload
  public func upload<Operation: GraphQLOperation>(
    operation: Operation, files: [GraphQLFile], callbackQueue: DispatchQueue,
    completionHandler: @escaping GraphQLResultHandler<Operation.Data>
  ) -> any Cancellable {
    RequirementForms.call(of: self, "upload", form: 1, of: 2) {
      upload(
        operation: operation, files: files, context: nil, callbackQueue: callbackQueue,
        completionHandler: completionHandler)
    } fail: {
      failMissing("upload", of: self, on: callbackQueue, completionHandler)
    }
  }
}
