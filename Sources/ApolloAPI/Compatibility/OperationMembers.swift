// Members of operations, under their names in Apollo iOS 0.3x to 1.x.

/// The text of an operation with its fragments.
public struct OperationDefinition: Hashable, Sendable {
  /// The text that is sent.
  public let queryDocument: String

  init(_ document: OperationDocument) { queryDocument = document.text }
}

extension OperationDocument {
  /// The text with the fragments; nil if there is only an identifier.
  public var definition: OperationDefinition? { operation.utf8CodeUnitCount == 0 ? nil : OperationDefinition(self) }
}

extension GraphQLOperation {
  /// The name of the operation, as in its document.
  public var operationName: String { Self.operationName }
  /// Whether the operation is a query, a mutation or a subscription.
  public var operationType: GraphQLOperationType { Self.operationType }
  /// The SHA-256 of the text; nil if the code was generated without identifiers.
  public static var operationIdentifier: String? { operationDocument.operationIdentifier }
  /// The SHA-256 of the text; nil if the code was generated without identifiers.
  public var operationIdentifier: String? { Self.operationIdentifier }
  /// The text with the fragments; nil if there is only an identifier.
  public static var definition: OperationDefinition? { operationDocument.definition }
  /// The text with the fragments; nil if there is only an identifier.
  public var definition: OperationDefinition? { Self.definition }
  /// The text with the fragments; empty if there is only an identifier.
  public var queryDocument: String { Self.operationDocument.text }
  /// The text without the fragments; empty if there is only an identifier.
  public var operationDefinition: String { Self.operationDocument.operation.description }
  /// The variables that have a value, as JSON; nil if there are none.
  ///
  /// The JSON is made each time this is read. It is not what is sent: that is ``GraphQLOperation/variables``.
  public var __variables: JSONObject? { variableValues { __writeVariables(to: &$0) } }
}

extension LocalCacheMutation {
  /// The kind of the operations that begin at the same root object of the cache.
  public var operationType: GraphQLOperationType { Self.operationType }
  /// The variables that have a value, as JSON; nil if there are none.
  public var __variables: JSONObject? { variableValues { __writeVariables(to: &$0) } }
}

/// The variables that `write` writes, as JSON; nil if there are none.
private func variableValues(_ write: (inout __JSONWriter) -> Void) -> JSONObject? {
  // The writer has written an object.
  let values = __JSONWriter().value { $0.writeObject(write) } as? JSONObject ?? [:]
  return values.isEmpty ? nil : values
}

extension JSONObject {
  /// The object itself: variables are JSON already.
  public var _jsonEncodableObject: JSONObject { self }
  /// The object itself: variables are JSON already.
  public var _jsonEncodableValue: JSONObject? { self }
  /// The object itself: variables are JSON already.
  public var _jsonObject: JSONObject { self }
}

extension __InputValue {
  /// The value as a type with a form in JSON; nil for ``GraphQLNullable/none``, and for a value without such a form.
  public var _jsonEncodableValue: (any JSONEncodable)? {
    guard let value = sentInput(self) else { return nil }
    if let value = value as? any JSONEncodable { return value }
    var failure: JSONEncodingError?
    let json = __JSONWriter().value { writer in
      __write(to: &writer)
      failure = writer.failure
    }
    guard failure == nil, let json else { return nil }
    return try? JSONScalar(_jsonValue: json)
  }
}
