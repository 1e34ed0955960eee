import ApolloIR

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
  public func text(_ version: Version) -> String {
    switch version {
    case .persistedQueries:
      let entries = operations.map { operation in
        """
            {
              "id": "\(operation.document.identifier)",
              "body": \(JSONText.quote(operation.document.text)),
              "name": "\(operation.name)",
              "type": "\(operation.kind.rawValue)"
            }
        """
      }
      return """
        {
          "format": "apollo-persisted-query-manifest",
          "version": 1,
          "operations": [\(entries.isEmpty ? "" : "\n\(entries.joined(separator: ",\n"))\n  ")]
        }

        """
    case .legacy:
      let entries = operations.map { operation in
        """
          "\(operation.document.identifier)": {
            "name": "\(operation.name)",
            "source": \(JSONText.quote(operation.document.text))
          }
        """
      }
      return "{\n\(entries.joined(separator: ",\n"))\n}\n"
    }
  }
}
