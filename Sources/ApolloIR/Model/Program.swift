package import GraphQLSyntax

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

extension Program {
  /// Whether an error may stand in place of the value of a field.
  package var hasResults: Bool {
    operations.contains { $0.shape.hasResults } || fragments.contains { $0.shape.hasResults }
  }

  /// The operations and fragments of one source.
  package struct DocumentPart {
    /// The name of the source.
    package var name: String
    /// The operations, in the order of the source.
    package var operations: [Operation]
    /// The fragments, in the order of the source.
    package var fragments: [Fragment]
  }

  /// Divides the program by the sources of its documents. A source without definitions has an empty part.
  ///
  /// - Parameter sources: The sources, with the names of their parts.
  /// - Returns: One part for each source, in order.
  package func parts(of sources: [(id: Source.ID, name: String)]) -> [DocumentPart] {
    let operations = Dictionary(grouping: operations, by: \.source)
    let fragments = Dictionary(grouping: fragments, by: \.source)
    return sources.map { source in
      DocumentPart(
        name: source.name, operations: operations[source.id] ?? [], fragments: fragments[source.id] ?? [])
    }
  }
}
