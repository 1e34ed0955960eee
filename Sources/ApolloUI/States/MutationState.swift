public import Apollo
public import ApolloAPI
public import ApolloTransport
public import Observation

/// A mutation for a button, with what becomes of it.
///
///     let rename = MutationState<RenameMutation>(client: client)
///
///     Button("Rename") { Task { try await rename.run(RenameMutation(id: id, name: name)) } }
///       .disabled(rename.isRunning)
///
/// All calls are sent. The state is that of the last one; when the user signs out, it is forgotten.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
@MainActor
public final class MutationState<Mutation: GraphQLMutation>: Observable {
  /// Whether the last call is under way.
  public var isRunning: Bool { facts.isRunning }
  /// The response to the last call; nil before there is one.
  public private(set) var result: GraphQLResult<Mutation.Data>? {
    get {
      _ = facts.result
      return response
    }
    set {
      response = newValue
      facts.result &+= 1
    }
  }
  /// Why the last call failed: an error of the connection such as a `URLError`, or `ResultError` if the response has no
  /// data, as when the server refuses the mutation. nil if it did not. Errors of fields are in the ``result``.
  public var error: (any Error)? { facts.error }

  private let facts = MutationFacts()
  private var response: GraphQLResult<Mutation.Data>?
  private let client: ApolloClient?
  private var signOutListener: SignOutListener?
  private var number = 0

  /// Makes a state, which waits for a call.
  ///
  /// - Parameter client: Sends the mutations. nil: each call fails with an error that says so.
  public init(client: ApolloClient?) { self.client = client }

  /// The data of the last response.
  public var data: Mutation.Data? { result?.data }

  /// Sends a mutation.
  ///
  /// - Parameters:
  ///   - mutation: The mutation, with its variables.
  ///   - requestConfiguration: What is different for this request. nil, the default: nothing.
  /// - Returns: The response. One without data is returned as well, and its `ResultError` is in ``error`` only.
  /// - Throws: `OperationError`; ``StateError`` if the state has no client; `CancellationError` if the task was
  ///   cancelled. If no other call came after this one, ``error`` has the same, or the cause of an `OperationError`
  ///   that has one.
  @discardableResult
  public func run(
    _ mutation: Mutation, requestConfiguration: RequestConfiguration? = nil
  ) async throws -> GraphQLResult<Mutation.Data> {
    number += 1
    let number = number
    (facts.isRunning, facts.error, result) = (true, nil, nil)
    do {
      guard let client else { throw StateError.noClient }
      // What it shows is for the user of now.
      signOutListener = SignOutListener(client) { [weak self] in self?.reset() }
      let result = try await client.perform(mutation: mutation, requestConfiguration: requestConfiguration)
      if number == self.number {
        (facts.isRunning, self.result) = (false, result)
        if !result.hasData {
          do { _ = try result.dataOrThrow() } catch { facts.error = error }
        }
      }
      return result
    } catch {
      if number == self.number { (facts.isRunning, facts.error) = (false, OperationError.unwrap(error)) }
      throw error
    }
  }

  /// Forgets the last call. What comes of it is not shown.
  public func reset() {
    number += 1
    (facts.isRunning, facts.error, result) = (false, nil, nil)
  }
}
