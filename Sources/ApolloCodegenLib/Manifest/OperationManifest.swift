import ApolloIR
import GraphQLJSON

/// All operations that an app may send, for servers that accept no others: the key `operationManifest` of a
/// configuration.
public struct OperationManifest: Sendable {
  public enum Version: String, Sendable, CaseIterable {
    /// For the persisted queries of GraphOS.
    case persistedQueries
    /// For operation registries of earlier days: operations by identifier.
    case legacy
  }

  public struct Configuration: Sendable, Equatable {
    /// The file to write, relative to the folder of the configuration.
    public var path: String
    public var version: Version
    /// Written whenever code is generated, and not only when it is asked for.
    public var generateManifestOnCodeGeneration: Bool

    public init(
      path: String, version: Version = .persistedQueries, generateManifestOnCodeGeneration: Bool = false
    ) {
      self.path = path
      self.version = version
      self.generateManifestOnCodeGeneration = generateManifestOnCodeGeneration
    }
  }

  private let operations: [Operation]

  /// Sorted by name, so that the text depends on the operations alone. Local cache mutations are never sent.
  init(_ program: Program) {
    operations = program.operations.filter { !$0.isLocalCacheMutation }.sorted { $0.name < $1.name }
  }

  /// The number of operations.
  public var count: Int { operations.count }

  /// The JSON of the file.
  public func text(_ version: Version) -> String { json(version).indentedText + "\n" }

  private func json(_ version: Version) -> JSONNode {
    switch version {
    case .persistedQueries:
      .object([
        "format": .string("apollo-persisted-query-manifest"), "version": .number(1),
        "operations": .array(
          operations.map { operation in
            .object([
              "id": .string(operation.document.identifier), "body": .string(operation.document.text),
              "name": .string(operation.name), "type": .string(operation.kind.rawValue),
            ])
          }),
      ])
    case .legacy:
      .object(
        JSONNode.Members(
          operations.map { operation in
            let entry: JSONNode = .object([
              "name": .string(operation.name), "source": .string(operation.document.text),
            ])
            return (operation.document.identifier, entry)
          }))
    }
  }
}
