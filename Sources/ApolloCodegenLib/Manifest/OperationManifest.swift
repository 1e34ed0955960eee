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

  private struct Entry {
    var identifier: String
    var body: String
    var name: String
    var type: String
  }

  private let entries: [Entry]

  /// Sorted by name, so that the text depends on the operations alone. Local cache mutations are never sent.
  init(_ program: Program) {
    entries = program.operations.filter { !$0.isLocalCacheMutation }.sorted { $0.name < $1.name }.map {
      Entry(identifier: $0.document.identifier, body: $0.document.text, name: $0.name, type: $0.kind.rawValue)
    }
  }

  /// The number of operations.
  public var count: Int { entries.count }

  /// The JSON of the file.
  public func text(_ version: Version) -> String {
    switch version {
    case .persistedQueries:
      let operations = entries.map { entry in
        """
            {
              "id": "\(entry.identifier)",
              "body": \(JSONText.quote(entry.body)),
              "name": "\(entry.name)",
              "type": "\(entry.type)"
            }
        """
      }
      return """
        {
          "format": "apollo-persisted-query-manifest",
          "version": 1,
          "operations": [\(operations.isEmpty ? "" : "\n\(operations.joined(separator: ",\n"))\n  ")]
        }

        """
    case .legacy:
      let operations = entries.map { entry in
        """
          "\(entry.identifier)": {
            "name": "\(entry.name)",
            "source": \(JSONText.quote(entry.body))
          }
        """
      }
      return "{\n\(operations.joined(separator: ",\n"))\n}\n"
    }
  }
}
