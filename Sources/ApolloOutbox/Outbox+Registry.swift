import ApolloOperations
public import ApolloTransport
public import ApolloAPI
public import ApolloCache
import Foundation

extension Outbox {
  /// What an app says of its mutations once, so that it holds after the app was started again as well: closures cannot be
  /// kept on disk.
  ///
  ///     var registry = Outbox.Registry()
  ///     registry.register(RenameMutation.self) { transaction, variables in
  ///       try transaction.updateObject(ofType: Name.self, withKey: "User:\(variables["id"] ?? "")") { … }
  ///     }
  ///
  /// A mutation whose guess is data needs no entry: it is found by its type.
  public struct Registry: Sendable {
    /// Changes the cache as a mutation is expected to change it. It is given the variables of the mutation, with ids of the
    /// server in place of temporary ones as far as they are known. It may run any number of times, on any thread.
    public typealias Guess = @Sendable (ApolloStore.ReadWriteTransaction, JSONObject) throws -> Void

    var entries: [String: any RegistryEntry] = [:]

    /// Makes an empty registry.
    public init() {}

    /// Says what holds for all mutations of a type. A later call for the same type replaces an earlier one.
    ///
    /// - Parameters:
    ///   - type: The type of the mutations. Those of an earlier launch are recognized by the name of the operation.
    ///   - optimisticUpdate: Shows what the mutation will change, if `enqueue` was given neither data nor a closure, or if
    ///     its closure was of an earlier launch. nil, the default: nothing is shown.
    ///   - update: Changes the cache by the real data, in the commit of the result, if `enqueue` was given no such closure,
    ///     or in an earlier launch. nil, the default: nothing is changed but what the result says.
    ///   - idMapping: Finds the server's id for the object that the mutation makes. nil, the default: what `enqueue` was
    ///     given does, and in a later launch the place in the expected data that it has named.
    ///   - completion: Called with the outcome of each of these mutations, whenever it was enqueued, on any thread. nil,
    ///     the default: nothing is called.
    public mutating func register<Mutation: GraphQLMutation>(
      _ type: Mutation.Type, optimisticUpdate: Guess? = nil, update: Outbox.MutationUpdate<Mutation>? = nil,
      idMapping: (@Sendable (Mutation.Data) -> String?)? = nil,
      completion: (@Sendable (Result<GraphQLResult<Mutation.Data>, any Swift.Error>) -> Void)? = nil
    ) {
      entries[Mutation.operationName] = Registration<Mutation>(
        optimisticUpdate: optimisticUpdate, update: update, idMapping: idMapping, completion: completion)
    }

    /// What was said of a type.
    func registration<Mutation: GraphQLMutation>(of type: Mutation.Type) -> Registration<Mutation>? {
      entries[Mutation.operationName] as? Registration<Mutation>
    }

    /// The type of a mutation that was kept; nil if the app no longer has it.
    func type(of row: Row) -> (any GraphQLMutation.Type)? {
      if let type = _typeByName(row.typeName) as? any GraphQLMutation.Type, type.operationName == row.operationName {
        return type
      }
      return entries[row.operationName]?.type
    }
  }
}

/// What an app has said of a type, without the type.
protocol RegistryEntry: Sendable {
  var type: any GraphQLMutation.Type { get }
}

/// What an app has said of a type.
struct Registration<Mutation: GraphQLMutation>: RegistryEntry {
  let optimisticUpdate: Outbox.Registry.Guess?
  let update: Outbox.MutationUpdate<Mutation>?
  let idMapping: (@Sendable (Mutation.Data) -> String?)?
  let completion: (@Sendable (Result<GraphQLResult<Mutation.Data>, any Error>) -> Void)?

  var type: any GraphQLMutation.Type { Mutation.self }
}
