/// Everything that code is generated from: the operations and fragments of one set of documents, and the part of the
/// schema that they use.
public struct Program: Sendable, Equatable {
  /// In the order of the documents.
  public var operations: [Operation]
  /// In the order of the documents.
  public var fragments: [Fragment]
  public var schemaTypes: SchemaTypes

  public init(operations: [Operation], fragments: [Fragment], schemaTypes: SchemaTypes) {
    self.operations = operations
    self.fragments = fragments
    self.schemaTypes = schemaTypes
  }
}
