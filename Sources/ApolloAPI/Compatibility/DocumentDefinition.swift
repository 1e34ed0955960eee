extension OperationDocument {
  /// The text of an operation, and the fragments that it spreads, as operations that were written by hand for Apollo iOS 1
  /// have it.
  public struct Definition: Sendable {
    let operation: StaticString
    let fragments: [StaticString]

    /// Makes a definition.
    ///
    /// - Parameters:
    ///   - definition: The text of the operation without fragments.
    ///   - fragments: The fragments that it spreads, directly or not. nil, the default: none.
    public init(_ definition: StaticString, fragments: [any Fragment.Type]? = nil) {
      operation = definition
      self.fragments = fragments?.map { $0.fragmentDefinition } ?? []
    }
  }

  /// Makes a document, with the parameters of Apollo iOS 1.
  ///
  /// - Parameters:
  ///   - operationIdentifier: The SHA-256 of the text in hexadecimal digits. nil, the default: none.
  ///   - definition: The text of the operation.
  public init(operationIdentifier: String? = nil, definition: Definition) {
    self.init(definition.operation, fragments: definition.fragments, operationIdentifier: operationIdentifier)
  }
}
