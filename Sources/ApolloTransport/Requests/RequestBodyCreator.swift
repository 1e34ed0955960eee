public import ApolloAPI

/// Makes the JSON object that is sent for an operation.
///
/// An app conforms to it to send further members, or to identify persisted documents in another way. It is called from
/// any thread. It need not be `Sendable`, because it was not in Apollo iOS 0.x and 1.
public protocol RequestBodyCreator {
  /// Makes the body of a request.
  ///
  /// - Parameters:
  ///   - operation: The operation that is sent, with its variables.
  ///   - sendQueryDocument: Whether the text of the document is sent. False if the server is to know it by its
  ///     identifier.
  ///   - autoPersistQuery: Whether the identifier is sent as that of an automatic persisted query.
  /// - Returns: The members of the JSON object.
  func requestBody<Operation: GraphQLOperation>(
    for operation: Operation, sendQueryDocument: Bool, autoPersistQuery: Bool
  ) -> JSONEncodableDictionary

  /// Makes the body of a request: the form of Apollo iOS 0.x. It is the one that is called for each request, and by
  /// default it calls the other form.
  ///
  /// - Parameters:
  ///   - operation: The operation that is sent, with its variables.
  ///   - sendOperationIdentifiers: Whether the identifier is sent as `id`, in place of the document. True if the
  ///     transport was made with `sendOperationIdentifiers: true`.
  ///   - sendQueryDocument: Whether the text of the document is sent. False if the server is to know it by its
  ///     identifier.
  ///   - autoPersistQuery: Whether the identifier is sent as that of an automatic persisted query.
  /// - Returns: The members of the JSON object.
  func requestBody<Operation: GraphQLOperation>(
    for operation: Operation, sendOperationIdentifiers: Bool, sendQueryDocument: Bool, autoPersistQuery: Bool
  ) -> JSONEncodableDictionary
}

extension RequestBodyCreator {
  /// Makes the body by the form without `sendOperationIdentifiers`. If identifiers are asked for and the operation has
  /// one, the body has it as `id`, and no document.
  public func requestBody<Operation: GraphQLOperation>(
    for operation: Operation, sendOperationIdentifiers: Bool, sendQueryDocument: Bool, autoPersistQuery: Bool
  ) -> JSONEncodableDictionary {
    guard sendOperationIdentifiers, let identifier = Operation.operationDocument.operationIdentifier else {
      // Without an identifier, only the document tells what is asked for.
      return requestBody(
        for: operation, sendQueryDocument: sendQueryDocument || sendOperationIdentifiers,
        autoPersistQuery: autoPersistQuery)
    }
    var body = requestBody(for: operation, sendQueryDocument: false, autoPersistQuery: false)
    body["query"] = nil
    body["id"] = identifier
    return body
  }

  /// Makes the body of a request that is sent at once, as in Apollo iOS 0.x, where the other parameters have defaults.
  ///
  /// - Parameters:
  ///   - operation: The operation that is sent, with its variables.
  ///   - sendOperationIdentifiers: Whether the identifier is sent as `id`, in place of the document.
  ///   - sendQueryDocument: Whether the text of the document is sent. The default is true.
  /// - Returns: The members of the JSON object.
  public func requestBody<Operation: GraphQLOperation>(
    for operation: Operation, sendOperationIdentifiers: Bool, sendQueryDocument: Bool = true
  ) -> JSONEncodableDictionary {
    // (A function of its own, so that it calls the form that a creator of the app implements. So are the two that follow:
    // if the forms of the protocol had default arguments here, their default implementations would be called.)
    requestBody(
      for: operation, sendOperationIdentifiers: sendOperationIdentifiers, sendQueryDocument: sendQueryDocument,
      autoPersistQuery: false)
  }

  /// Makes the body of a request without the identifier of its document, by the form that the creator implements.
  ///
  /// - Parameters:
  ///   - operation: The operation that is sent, with its variables.
  ///   - sendQueryDocument: Whether the text of the document is sent. The default is true.
  /// - Returns: The members of the JSON object.
  @_disfavoredOverload
  public func requestBody<Operation: GraphQLOperation>(
    for operation: Operation, sendQueryDocument: Bool = true
  ) -> JSONEncodableDictionary {
    requestBody(
      for: operation, sendOperationIdentifiers: false, sendQueryDocument: sendQueryDocument, autoPersistQuery: false)
  }

  /// Makes the body of a request with the text of its document, by the form that the creator implements.
  ///
  /// - Parameters:
  ///   - operation: The operation that is sent, with its variables.
  ///   - autoPersistQuery: Whether the identifier is sent as that of an automatic persisted query.
  /// - Returns: The members of the JSON object.
  @_disfavoredOverload
  public func requestBody<Operation: GraphQLOperation>(
    for operation: Operation, autoPersistQuery: Bool
  ) -> JSONEncodableDictionary {
    requestBody(
      for: operation, sendOperationIdentifiers: false, sendQueryDocument: true, autoPersistQuery: autoPersistQuery)
  }

  /// Makes a body with `operationName`, with `query` and `extensions.persistedQuery` if they are asked for, and with
  /// `variables` if the operation declares any.
  public func requestBody<Operation: GraphQLOperation>(
    for operation: Operation, sendQueryDocument: Bool, autoPersistQuery: Bool
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

/// Makes request bodies as GraphQL over HTTP defines them in section 5.
public struct ApolloRequestBodyCreator: RequestBodyCreator, Sendable {
  /// Makes a body creator.
  public init() {}
}

/// Makes request bodies for servers that accept only documents they know: the body has the document's identifier in
/// place of its text (GraphQL over HTTP, appendix on persisted documents).
///
/// The code must be generated with operation identifiers. An operation without one fails and is not sent.
public struct PersistedDocumentBodyCreator: IdentifierBodyCreator, Sendable {
  private let prefix: String

  /// Makes a body creator.
  ///
  /// - Parameter prefix: The text before the identifier. The default, `sha256:`, says that the identifier is a SHA-256
  ///   hash.
  public init(prefix: String = "sha256:") { self.prefix = prefix }

  /// Makes a body with `operationName`, `documentId`, and `variables` if the operation declares any.
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
  /// What is sent as `variables`: nil for an operation that declares none, and an empty object if none of the declared
  /// variables has a value.
  var sentVariables: Variables? { sentVariables(declaredBy: Self.operationDocument.operation.description) }

  /// - Parameter text: The text of the operation. The texts of fragments may follow it.
  /// - Returns: The variables, or nil if the operation declares none.
  package func sentVariables(declaredBy text: String) -> Variables? {
    let variables = variables
    guard variables.isEmpty else { return variables }
    // The list of variables directly follows the name of the operation. Other parentheses come after a brace or a
    // directive.
    let first = text.utf8.first { byte in
      byte == UInt8(ascii: "(") || byte == UInt8(ascii: "{") || byte == UInt8(ascii: "@")
    }
    return first == UInt8(ascii: "(") ? variables : nil
  }
}

/// A creator of bodies with the identifier of a document in place of its text.
protocol IdentifierBodyCreator: RequestBodyCreator {}

/// Asks a creator for bodies with `{"id": …}` in place of the document.
struct OperationIdentifierBodyCreator: IdentifierBodyCreator {
  let creator: any RequestBodyCreator

  func requestBody<Operation: GraphQLOperation>(
    for operation: Operation, sendQueryDocument: Bool, autoPersistQuery: Bool
  ) -> JSONEncodableDictionary {
    creator.requestBody(
      for: operation, sendOperationIdentifiers: true, sendQueryDocument: sendQueryDocument,
      autoPersistQuery: autoPersistQuery)
  }

  func requestBody<Operation: GraphQLOperation>(
    for operation: Operation, sendOperationIdentifiers: Bool, sendQueryDocument: Bool, autoPersistQuery: Bool
  ) -> JSONEncodableDictionary {
    requestBody(for: operation, sendQueryDocument: sendQueryDocument, autoPersistQuery: autoPersistQuery)
  }
}

/// The body of a request, over HTTP or in a WebSocket message.
package enum RequestBody {
  /// The creator of a transport in earlier releases, which may ask it to send `{"id": …}` in place of the document.
  package static func creator(
    sendingIdentifiers: Bool, otherwise creator: any RequestBodyCreator
  ) -> any RequestBodyCreator {
    sendingIdentifiers ? OperationIdentifierBodyCreator(creator: creator) : creator
  }

  /// Makes the body of a request, which is not checked.
  ///
  /// - Parameters:
  ///   - operation: The operation.
  ///   - creator: Makes the body.
  ///   - sendQueryDocument: Whether the text of the document is sent. The default is true.
  ///   - autoPersistQuery: Whether the identifier is sent as that of an automatic persisted query. The default is false.
  ///   - extensions: Further members of `extensions`. Each replaces a member with an equal name.
  ///   - onError: What the server is to do with errors of fields; nil if that is not said.
  /// - Returns: The members of the JSON object.
  package static func make<Operation: GraphQLOperation>(
    for operation: Operation, by creator: any RequestBodyCreator, sendQueryDocument: Bool = true,
    autoPersistQuery: Bool = false, adding extensions: JSONObject, onError: ErrorBehavior?
  ) -> JSONEncodableDictionary {
    var body = creator.requestBody(
      for: operation, sendOperationIdentifiers: false, sendQueryDocument: sendQueryDocument,
      autoPersistQuery: autoPersistQuery)
    if !extensions.isEmpty {
      let others = body["extensions"] as? JSONObject ?? [:]
      body["extensions"] = others.merging(extensions) { _, new in new }
    }
    if let onError { body["onError"] = onError.rawValue }
    return body
  }

  /// Checks that a server can know which operation is meant.
  ///
  /// - Throws: ``OperationError`` if there is neither the text of its document nor an identifier to send.
  package static func check<Operation: GraphQLOperation>(
    _ body: JSONEncodableDictionary, of _: Operation.Type, by creator: any RequestBodyCreator
  ) throws {
    if creator is any IdentifierBodyCreator, Operation.operationDocument.operationIdentifier == nil {
      throw OperationError(
        .invalidRequest,
        "It has no identifier to be sent in place of its document: generate the code with \"operationId\" in "
          + "'operationDocumentFormat', or send documents.",
        operationName: Operation.operationName)
    }
    if (body["query"] as? String)?.isEmpty == true {
      throw OperationError(
        .invalidRequest,
        "Its document is not in the generated code, and only that would tell the server what is asked for: send "
          + "identifiers (PersistedDocumentBodyCreator, automatic persisted queries), or generate the code with "
          + "\"definition\" in 'operationDocumentFormat'.",
        operationName: Operation.operationName)
    }
  }

  /// - Throws: ``JSONEncodingError`` for a value that JSON has no form for.
  package static func json(_ body: JSONEncodableDictionary) throws(JSONEncodingError) -> [UInt8] {
    var writer = __JSONWriter()
    writer.writeJSON(body)
    if let failure = writer.failure { throw failure }
    return writer.bytes
  }
}
