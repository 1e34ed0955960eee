package import ApolloTransport
import ApolloAPI
package import Foundation

/// Carries the configuration of an operation through the `send` of an app's own transport, which has no parameter for
/// it.
///
/// A subclass of ``RequestChainNetworkTransport``, or a transport around one, calls a `send` of this package in the
/// end.
struct ForwardedConfiguration: Sendable {
  @TaskLocal private static var current: ForwardedConfiguration?

  private let configuration: RequestConfiguration
  private let options: OperationOptions
  /// The type of the operation. The configuration is not used for operations of other types that the app's transport
  /// sends.
  private let operation: ObjectIdentifier

  /// Calls an app's own transport with an operation.
  static func forwarding<Operation: GraphQLOperation, Result>(
    _ passage: OperationPassage<Operation>, _ body: () -> Result
  ) -> Result {
    let forwarded = ForwardedConfiguration(
      configuration: passage.requestConfiguration, options: passage.options,
      operation: ObjectIdentifier(Operation.self))
    return $current.withValue(forwarded, operation: body)
  }

  /// What an app's own transport was called with for an operation; nil without one.
  static func of<Operation: GraphQLOperation>(
    _: Operation.Type
  ) -> (configuration: RequestConfiguration, options: OperationOptions)? {
    current.flatMap { $0.operation == ObjectIdentifier(Operation.self) ? ($0.configuration, $0.options) : nil }
  }
}

extension OperationCall {
  /// An operation that comes through the `send` or the `upload` of a transport.
  package init(
    sent operation: Operation, cachePolicy: CachePolicy = .default, contextIdentifier: UUID? = nil,
    context: (any RequestContext)?, files: [GraphQLFile]? = nil
  ) {
    self.init(
      operation, cachePolicy: cachePolicy, contextIdentifier: contextIdentifier, context: context, files: files)
    guard var forwarded = ForwardedConfiguration.of(Operation.self) else { return }
    forwarded.configuration.fill(from: configuration)
    (configuration, options) = forwarded
    // The app's transport may send the operation again when it has failed, so only the run around it knows when it is over.
    options.showsNoGuess = true
  }
}

extension RequestConfiguration {
  /// The settings in a context. All code that reads them uses this.
  init(_ context: any RequestContext) {
    self.init(
      requestTimeout: (context as? any RequestContextTimeoutConfigurable)?.requestTimeout,
      deadline: (context as? any RequestContextDeadlineConfigurable)?.requestDeadline,
      headers: (context as? any RequestContextHeaders)?.requestHeaders ?? [:],
      isRepeatable: (context as? any ResendableRequestContext)?.isResendable
        ?? (context is any RequestContextRepeatable ? true : nil),
      buffering: (context as? any ResultBufferingRequestContext)?.buffering)
  }
}
