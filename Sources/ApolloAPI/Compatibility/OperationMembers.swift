// What apps ask of an operation, by the names of releases 0.3x to 1.x of Apollo iOS.

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
  /// The name of the operation; the same for all of its type.
  public var operationName: String { Self.operationName }
  /// Query, mutation or subscription.
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
  /// It is made when it is asked for. ``GraphQLOperation/variables`` is what is sent.
  public var __variables: JSONObject? { variables.values }
}

extension LocalCacheMutation {
  /// At which root of the cache it begins.
  public var operationType: GraphQLOperationType { Self.operationType }
  /// The variables that have a value, as JSON; nil if there are none.
  public var __variables: JSONObject? { variables.values }
}

extension Variables {
  /// nil if there are none.
  fileprivate var values: JSONObject? {
    // (What the writer wrote is an object.)
    isEmpty ? nil : (try? ResponseReader.jsonValue(ResponseBytes(json))) as? JSONObject
  }
}

extension JSONObject {
  /// The object itself: variables are JSON already.
  public var _jsonEncodableObject: JSONObject { self }
}
