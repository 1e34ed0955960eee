/// How to fetch a schema from a server: the key `schemaDownload` of a configuration.
public struct SchemaDownloadConfiguration: Sendable, Equatable {
  public enum Source: Sendable, Equatable {
    /// The server describes its schema itself.
    case introspection(Introspection)
    /// The GraphOS registry has it.
    case apolloRegistry(ApolloRegistry)
  }

  public struct Introspection: Sendable, Equatable {
    public enum HTTPMethod: Sendable, Equatable {
      case post
      /// The query is a parameter of the URL, of this name.
      case get(queryParameterName: String = "query")
    }

    public enum OutputFormat: String, Sendable, CaseIterable {
      case sdl = "SDL"
      /// The response of the server.
      case json = "JSON"
    }

    public var endpointURL: String
    public var httpMethod: HTTPMethod
    public var outputFormat: OutputFormat
    /// Deprecated arguments and input fields as well, where the server knows of such.
    public var includeDeprecatedInputValues: Bool

    public init(
      endpointURL: String, httpMethod: HTTPMethod = .post, outputFormat: OutputFormat = .sdl,
      includeDeprecatedInputValues: Bool = false
    ) {
      self.endpointURL = endpointURL
      self.httpMethod = httpMethod
      self.outputFormat = outputFormat
      self.includeDeprecatedInputValues = includeDeprecatedInputValues
    }
  }

  public struct ApolloRegistry: Sendable, Equatable {
    public static let defaultEndpointURL = "https://graphql.api.apollographql.com/api/graphql"

    /// Empty for the value of the environment variable `APOLLO_KEY`.
    public var apiKey: String
    public var graphID: String
    public var variant: String
    public var endpointURL: String

    public init(
      apiKey: String, graphID: String, variant: String = "current", endpointURL: String = Self.defaultEndpointURL
    ) {
      self.apiKey = apiKey
      self.graphID = graphID
      self.variant = variant
      self.endpointURL = endpointURL
    }
  }

  public struct Header: Sendable, Equatable {
    public var key: String
    public var value: String

    public init(key: String, value: String) {
      self.key = key
      self.value = value
    }
  }

  public var source: Source
  /// In seconds.
  public var timeout: Double
  public var headers: [Header]
  /// The file to write, relative to the folder of the configuration.
  public var outputPath: String

  public init(using source: Source, timeout: Double = 30, headers: [Header] = [], outputPath: String) {
    self.source = source
    self.timeout = timeout
    self.headers = headers
    self.outputPath = outputPath
  }
}
