public import ApolloAPI

/// A JSON object whose values may be written as JSON: strings, numbers, lists, objects, and ``Variables``.
public typealias JSONEncodableDictionary = JSONObject

/// Makes the JSON object that is sent for an operation.
///
/// Conform to it to send members of your own, or another identification of persisted documents. It is called from any
/// thread, and need not be `Sendable`, as in releases 0.x and 1.x of Apollo iOS.
public protocol RequestBodyCreator {
  /// - Parameters:
  ///   - sendQueryDocument: False if the server is to know the document by its identifier.
  ///   - autoPersistQuery: The identifier is sent as that of an automatic persisted query.
  func requestBody<Operation: GraphQLOperation>(
    for operation: Operation, sendQueryDocument: Bool, autoPersistQuery: Bool
  ) -> JSONEncodableDictionary
}

extension RequestBodyCreator {
  /// `operationName`, `query`, `variables` if the operation declares any, and `extensions.persistedQuery` if it is asked
  /// for.
  public func requestBody<Operation: GraphQLOperation>(
    for operation: Operation, sendQueryDocument: Bool = true, autoPersistQuery: Bool = false
  ) -> JSONEncodableDictionary {
    var body: JSONEncodableDictionary = ["operationName": Operation.operationName]
    body["variables"] = operation.sentVariables
    if sendQueryDocument { body["query"] = Operation.operationDocument.text }
    if autoPersistQuery, let hash = Operation.operationDocument.operationIdentifier {
      let persistedQuery: JSONObject = ["sha256Hash": hash, "version": 1]
      body["extensions"] = ["persistedQuery": persistedQuery] as JSONObject
    }
    return body
  }
}

/// Makes bodies as GraphQL over HTTP has them, section 5.
public struct ApolloRequestBodyCreator: RequestBodyCreator, Sendable {
  public init() {}
}

/// Makes bodies for servers that take only documents they know: the identifier stands in place of the text
/// (GraphQL over HTTP, appendix on persisted documents).
///
/// It needs code that was generated with operation identifiers; without them operations fail and are not sent.
public struct PersistedDocumentBodyCreator: IdentifierBodyCreator, Sendable {
  private let prefix: String

  /// - Parameter prefix: Stands before the identifier; by default it says that this is a SHA-256.
  public init(prefix: String = "sha256:") { self.prefix = prefix }

  public func requestBody<Operation: GraphQLOperation>(
    for operation: Operation, sendQueryDocument: Bool, autoPersistQuery: Bool
  ) -> JSONEncodableDictionary {
    var body: JSONEncodableDictionary = ["operationName": Operation.operationName]
    if let identifier = Operation.operationDocument.operationIdentifier { body["documentId"] = prefix + identifier }
    body["variables"] = operation.sentVariables
    return body
  }
}

extension GraphQLOperation {
  /// What is sent as `variables`: nil for an operation that declares none, and an empty object if none of those that it
  /// declares has a value.
  var sentVariables: Variables? { sentVariables(declaredBy: Self.operationDocument.operation.description) }

  /// - Parameter text: That of the operation; fragments may follow.
  func sentVariables(declaredBy text: String) -> Variables? {
    let variables = variables
    guard variables.isEmpty else { return variables }
    // The list of variables follows the name of the operation; other parentheses come behind a brace or a directive.
    let first = text.utf8.first { byte in
      byte == UInt8(ascii: "(") || byte == UInt8(ascii: "{") || byte == UInt8(ascii: "@")
    }
    return first == UInt8(ascii: "(") ? variables : nil
  }
}

/// What the library says of itself, in `extensions` (client awareness).
enum ClientLibrary {
  static let description: JSONObject = [
    "name": Constants.ApolloClientName, "version": Constants.ApolloClientVersion,
  ]

  /// The `extensions` of a request that has no others.
  struct Extensions: JSONWritable {
    func write(to writer: inout JSONWriter) { writer.writeRaw(Self.json) }

    private static let json = {
      var writer = JSONWriter()
      writer.writeJSON(["clientLibrary": description])
      return writer.bytes
    }()
  }
}

/// A creator whose bodies have the identifier of a document in place of its text.
package protocol IdentifierBodyCreator: RequestBodyCreator {}

/// The body of a request, over HTTP or in a WebSocket message.
package enum RequestBody {
  /// Makes the body of a request.
  ///
  /// - Throws: ``OperationError`` if the server could not know which operation is meant: there is neither the text of its
  ///   document nor an identifier to send.
  package static func make<Operation: GraphQLOperation>(
    for operation: Operation, by creator: any RequestBodyCreator, sendQueryDocument: Bool = true,
    autoPersistQuery: Bool = false
  ) throws -> JSONEncodableDictionary {
    let body = creator.requestBody(
      for: operation, sendQueryDocument: sendQueryDocument, autoPersistQuery: autoPersistQuery)
    try checkDocument(of: Operation.self, in: body, by: creator)
    return body
  }

  static func checkDocument<Operation: GraphQLOperation>(
    of _: Operation.Type, in body: JSONEncodableDictionary, by creator: any RequestBodyCreator
  ) throws {
    if creator is any IdentifierBodyCreator, Operation.operationDocument.operationIdentifier == nil {
      throw OperationError(
        .invalidRequest,
        "It has no identifier to be sent in place of its document: generate the code with \"operationId\" in "
          + "'operationDocumentFormat', or send documents.",
        operationName: Operation.operationName)
    }
    if (body["query"] as? String)?.isEmpty == true { throw missingText(of: Operation.self) }
  }

  /// There is no text, because the code was generated without it.
  static func missingText<Operation: GraphQLOperation>(of _: Operation.Type) -> OperationError {
    OperationError(
      .invalidRequest,
      "Its document is not in the generated code, and only that would tell the server what is asked for: send identifiers "
        + "(PersistedDocumentBodyCreator, automatic persisted queries), or generate the code with \"definition\" in "
        + "'operationDocumentFormat'.",
      operationName: Operation.operationName)
  }

  /// Adds members to `extensions`, each in place of any of the same name.
  package static func add(_ extensions: JSONObject, to body: inout JSONEncodableDictionary) {
    guard !extensions.isEmpty else { return }
    let others = body["extensions"] as? JSONObject ?? [:]
    body["extensions"] = others.merging(extensions) { _, new in new }
  }

  /// - Throws: ``JSONEncodingError`` for a value that JSON has no form for.
  package static func json(_ body: JSONEncodableDictionary) throws(JSONEncodingError) -> [UInt8] {
    var writer = JSONWriter()
    writer.writeJSON(body)
    if let failure = writer.failure { throw failure }
    return writer.bytes
  }
}
