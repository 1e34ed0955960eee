public import ApolloAPI

/// A JSON object whose values may be written as JSON: strings, numbers, lists, objects, and ``Variables``.
public typealias JSONEncodableDictionary = JSONObject

/// Makes the JSON object that is sent for an operation.
///
/// Conform to it to send members of your own, or another identification of persisted documents.
public protocol RequestBodyCreator: Sendable {
  /// - Parameters:
  ///   - sendQueryDocument: False if the server is to know the document by its identifier.
  ///   - autoPersistQuery: The identifier is sent as that of an automatic persisted query.
  func requestBody<Operation: GraphQLOperation>(
    for operation: Operation, sendQueryDocument: Bool, autoPersistQuery: Bool
  ) -> JSONEncodableDictionary
}

extension RequestBodyCreator {
  /// `operationName`, `query`, `variables` if there are any, and `extensions.persistedQuery` if it is asked for.
  public func requestBody<Operation: GraphQLOperation>(
    for operation: Operation, sendQueryDocument: Bool = true, autoPersistQuery: Bool = false
  ) -> JSONEncodableDictionary {
    var body: JSONEncodableDictionary = ["operationName": Operation.operationName]
    let variables = operation.variables
    if !variables.isEmpty { body["variables"] = variables }
    if sendQueryDocument { body["query"] = Operation.operationDocument.text }
    if autoPersistQuery, let hash = Operation.operationDocument.operationIdentifier {
      let persistedQuery: JSONObject = ["sha256Hash": hash, "version": 1]
      body["extensions"] = ["persistedQuery": persistedQuery] as JSONObject
    }
    return body
  }
}

/// Makes bodies as GraphQL over HTTP has them, section 5.
public struct ApolloRequestBodyCreator: RequestBodyCreator {
  public init() {}
}

/// Makes bodies for servers that take only documents they know: the identifier stands in place of the text
/// (GraphQL over HTTP, appendix on persisted documents).
///
/// It needs code that was generated with operation identifiers.
public struct PersistedDocumentBodyCreator: RequestBodyCreator {
  private let prefix: String

  /// - Parameter prefix: Stands before the identifier; by default it says that this is a SHA-256.
  public init(prefix: String = "sha256:") { self.prefix = prefix }

  public func requestBody<Operation: GraphQLOperation>(
    for operation: Operation, sendQueryDocument: Bool, autoPersistQuery: Bool
  ) -> JSONEncodableDictionary {
    var body: JSONEncodableDictionary = ["operationName": Operation.operationName]
    if let identifier = Operation.operationDocument.operationIdentifier { body["documentId"] = prefix + identifier }
    let variables = operation.variables
    if !variables.isEmpty { body["variables"] = variables }
    return body
  }
}

/// What the library says of itself, in `extensions` (client awareness).
enum ClientLibrary {
  static let description: JSONObject = ["name": "apollo-swift", "version": "0.1.0"]

  /// The `extensions` of a request that has no others.
  struct Extensions: JSONWritable {
    private static let json = RequestBody.json(["clientLibrary": description])

    func write(to writer: inout JSONWriter) { writer.writeRaw(Self.json) }
  }
}

/// The body of a request, over HTTP or in a WebSocket message.
package enum RequestBody {
  package static func json(_ body: JSONEncodableDictionary) -> [UInt8] {
    var writer = JSONWriter()
    writer.writeJSON(body)
    return writer.bytes
  }
}
