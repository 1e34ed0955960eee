/// How to download a schema: the key `schemaDownload` of a configuration.
public struct SchemaDownloadConfiguration: Sendable, Equatable {
  /// The kind of server that the schema comes from.
  public enum Source: Sendable, Equatable {
    /// A GraphQL server, which is asked with an introspection query.
    case introspection(Introspection)
    /// The GraphOS registry.
    case apolloRegistry(ApolloRegistry)
  }

  /// How to download a schema with an introspection query.
  public struct Introspection: Sendable, Equatable {
    /// The HTTP method of the request.
    public enum HTTPMethod: Sendable, Equatable {
      /// `POST`, with the query in the body.
      case post
      /// `GET`. The query is a parameter of the URL; the default name of the parameter is `query`.
      case get(queryParameterName: String = "query")
    }

    /// The format of the file that is written.
    public enum OutputFormat: String, Sendable, CaseIterable {
      /// The schema definition language.
      case sdl = "SDL"
      /// The response of the server, unchanged.
      case json = "JSON"
    }

    /// The address of the server, which begins with `https://` or `http://`.
    public var endpointURL: String
    /// The HTTP method of the request. The default is `POST`.
    public var httpMethod: HTTPMethod
    /// The format of the file that is written. The default is SDL.
    public var outputFormat: OutputFormat
    /// Whether deprecated arguments and input fields are included, if the server supports that. The default is false.
    public var includeDeprecatedInputValues: Bool

    /// Makes settings for an introspection query.
    ///
    /// - Parameters:
    ///   - endpointURL: The address of the server.
    ///   - httpMethod: The HTTP method of the request. The default is `POST`.
    ///   - outputFormat: The format of the file that is written. The default is SDL.
    ///   - includeDeprecatedInputValues: Whether deprecated arguments and input fields are included. The default is
    ///     false.
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

  /// How to download a schema from the GraphOS registry.
  public struct ApolloRegistry: Sendable, Equatable {
    /// The address of the public registry.
    public static let defaultEndpointURL = "https://graphql.api.apollographql.com/api/graphql"

    /// The key for the registry. Empty: the value of the environment variable `APOLLO_KEY`.
    public var apiKey: String
    /// The identifier of the graph.
    public var graphID: String
    /// The variant of the graph. The default is `current`.
    public var variant: String
    /// The address of the registry. The default is ``defaultEndpointURL``.
    public var endpointURL: String

    /// Makes settings for the registry.
    ///
    /// - Parameters:
    ///   - apiKey: The key for the registry. Empty: the value of the environment variable `APOLLO_KEY`.
    ///   - graphID: The identifier of the graph.
    ///   - variant: The variant of the graph. The default is `current`.
    ///   - endpointURL: The address of the registry. The default is ``defaultEndpointURL``.
    public init(
      apiKey: String, graphID: String, variant: String = "current", endpointURL: String = Self.defaultEndpointURL
    ) {
      self.apiKey = apiKey
      self.graphID = graphID
      self.variant = variant
      self.endpointURL = endpointURL
    }
  }

  /// A header field of the requests.
  public struct Header: Sendable, Equatable {
    /// The name of the header field.
    public var key: String
    /// The value of the header field.
    public var value: String

    /// Makes a header field.
    ///
    /// - Parameters:
    ///   - key: The name of the header field.
    ///   - value: The value of the header field.
    public init(key: String, value: String) {
      self.key = key
      self.value = value
    }
  }

  /// Where the schema comes from.
  public var source: Source
  /// How long a request may wait for the server, in seconds. The default is 30.
  public var timeout: Double
  /// How many bytes an answer may have, when it is unpacked. A larger one is an error. The default is 64 MB.
  public var maximumResponseSize = 67_108_864
  /// Header fields of each request. The default is none.
  public var headers: [Header]
  /// The file that is written. A relative path starts at the folder of the configuration. It is read as JSON if its
  /// name ends in `.json`, and otherwise as SDL. A download in the other format is an error.
  public var outputPath: String

  /// Makes settings for a download.
  ///
  /// - Parameters:
  ///   - source: Where the schema comes from.
  ///   - timeout: How long a request may wait for the server, in seconds. The default is 30.
  ///   - headers: Header fields of each request. The default is none.
  ///   - outputPath: The file that is written. A relative path starts at the folder of the configuration.
  public init(using source: Source, timeout: Double = 30, headers: [Header] = [], outputPath: String) {
    self.source = source
    self.timeout = timeout
    self.headers = headers
    self.outputPath = outputPath
  }
}
