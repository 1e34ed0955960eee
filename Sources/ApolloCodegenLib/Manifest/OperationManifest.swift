import ApolloIR
import GraphQLJSON

/// A list of all operations that an app may send, for servers that accept only known operations. See the key
/// `operationManifest` of a configuration.
public struct OperationManifest: Sendable {
  /// The format of a manifest.
  public enum Version: String, Sendable, CaseIterable {
    /// The format for persisted queries of GraphOS, `apollo-persisted-query-manifest`.
    case persistedQueries
    /// The format of older operation registries: an object with the operations by identifier.
    case legacy
  }

  /// The settings of the manifest.
  public struct Configuration: Sendable, Equatable {
    /// The file that is written. A relative path starts at the folder of the configuration.
    public var path: String
    /// The format of the file. The default is ``Version/persistedQueries``.
    public var version: Version
    /// Whether the manifest is also written each time code is generated. The default is false: it is written only by
    /// its own command.
    public var generateManifestOnCodeGeneration: Bool

    /// Makes settings for a manifest.
    ///
    /// - Parameters:
    ///   - path: The file that is written. A relative path starts at the folder of the configuration.
    ///   - version: The format of the file. The default is ``Version/persistedQueries``.
    ///   - generateManifestOnCodeGeneration: Whether the manifest is also written each time code is generated. The
    ///     default is false.
    public init(
      path: String, version: Version = .persistedQueries, generateManifestOnCodeGeneration: Bool = false
    ) {
      self.path = path
      self.version = version
      self.generateManifestOnCodeGeneration = generateManifestOnCodeGeneration
    }
  }

  private let operations: [Operation]

  /// Makes a manifest of the operations of a program, sorted by name. Local cache mutations are left out, because they
  /// are never sent.
  init(_ program: Program) {
    operations = program.operations.filter { !$0.isLocalCacheMutation }.sorted { $0.name < $1.name }
  }

  /// The number of operations.
  public var count: Int { operations.count }

  /// Writes the manifest as indented JSON.
  ///
  /// - Parameter version: The format of the file.
  /// - Returns: The contents of the file.
  public func text(_ version: Version) -> String { json(version).indentedText + "\n" }

  /// Whether a file is a manifest, in one of the two formats.
  static func isManifest(_ data: some Collection<UInt8>) -> Bool {
    guard let members = (try? JSONNode(parsing: data))?.object else { return false }
    if members["format"]?.string == "apollo-persisted-query-manifest" { return members["operations"]?.array != nil }
    return members.allSatisfy { operation in
      operation.value["name"]?.string != nil && operation.value["source"]?.string != nil
        && operation.value.object?.count == 2
    }
  }

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
