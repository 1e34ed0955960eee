/// Everything that code is generated from: the operations and fragments of one set of documents, and the part of the
/// schema that they use.
public struct Program: Sendable, Equatable {
  /// The operations, in the order of the documents.
  public var operations: [Operation]
  /// The fragments, in the order of the documents.
  public var fragments: [Fragment]
  /// The part of the schema that they use.
  public var schemaTypes: SchemaTypes

  /// Makes a program.
  ///
  /// - Parameters:
  ///   - operations: The operations, in the order of the documents.
  ///   - fragments: The fragments, in the order of the documents.
  ///   - schemaTypes: The part of the schema that they use.
  public init(operations: [Operation], fragments: [Fragment], schemaTypes: SchemaTypes) {
    self.operations = operations
    self.fragments = fragments
    self.schemaTypes = schemaTypes
  }
}
