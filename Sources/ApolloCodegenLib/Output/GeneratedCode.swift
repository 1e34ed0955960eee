import ApolloIR
import ApolloSwiftRenderer
public import GraphQLSyntax

/// The generated Swift files, which have not been written yet.
public struct GeneratedCode: Sendable {
  /// The Swift file for one `.graphql` file.
  public struct DocumentFile: Sendable {
    /// The `.graphql` file.
    public var source: Source.ID
    /// The Swift file.
    public var file: GeneratedFile
  }

  /// The file with the schema's types.
  public var schema: GeneratedFile
  /// The files for the documents, in the order of the sources.
  public var documents: [DocumentFile]
  /// Mocks of the schema's object types; empty if the configuration does not ask for them.
  public var mocks: [GeneratedFile]
  /// All mocks in one file.
  let joinedMocks: String
  /// Files for people to change, which are written only if they do not exist.
  public var editable: [GeneratedFile]
  /// The schema's types, and the code of the documents.
  private var parts: [SwiftFile]
  /// Notes about names in the code.
  let diagnostics: [Diagnostic]
  /// The manifest of all operations.
  public var manifest: OperationManifest
  /// The number of operations.
  public var operationCount: Int
  /// The number of fragments.
  public var fragmentCount: Int

  /// All code in one file.
  var joined: String { SwiftFile.joining(parts).text }

  /// Gives names to the files of rendered code.
  ///
  /// - Parameters:
  ///   - rendered: The code.
  ///   - program: What it was generated from.
  ///   - sources: The sources of the documents, with the paths from which names are made.
  ///   - diagnostics: Notes about names in the code.
  init(
    _ rendered: RenderedCode, of program: Program, from sources: [(id: Source.ID, path: String)],
    diagnostics: [Diagnostic]
  ) {
    let names = DocumentFileNames.names(of: sources.map(\.path))
    schema = GeneratedFile(name: DocumentFileNames.schema, text: rendered.schema.text)
    documents = sources.indices.map { index in
      DocumentFile(
        source: sources[index].id, file: GeneratedFile(name: names[index], text: rendered.documents[index].text))
    }
    mocks = rendered.mocks.map { GeneratedFile(name: $0.name, text: $0.file.text) }
    joinedMocks = SwiftFile.joining(rendered.mocks.map(\.file)).text
    editable = rendered.editable.map { GeneratedFile(name: $0.name, text: $0.text) }
    parts = [rendered.schema] + rendered.documents
    self.diagnostics = diagnostics
    manifest = OperationManifest(program)
    operationCount = program.operations.count
    fragmentCount = program.fragments.count
  }

  /// Removes the code of some documents. The types of the schema and the manifest stay those of all documents.
  mutating func removeDocuments(where isRemoved: (Source.ID) -> Bool) {
    let kept = documents.indices.filter { !isRemoved(documents[$0].source) }
    parts = [parts[0]] + kept.map { parts[$0 + 1] }
    documents = kept.map { documents[$0] }
  }
}

/// A file of generated code.
public struct GeneratedFile: Sendable {
  /// The name of the file, without folders.
  public var name: String
  /// The contents of the file.
  public var text: String
}

extension String {
  /// The name of a file, without its folders.
  var lastPathComponent: String { split(separator: "/").last.map(String.init) ?? self }
}
