import Foundation

/// Finds the files of earlier runs that this run no longer generates.
///
/// It finds no file that a person may have written: each is called `*.graphql.swift`, and begins as generated files do.
struct ObsoleteFiles {
  let layout: OutputLayout
  /// The absolute paths of the documents of this run.
  let documents: Set<String>
  private let written: Set<String>
  private let writtenFolders: Set<String>

  init(layout: OutputLayout, documents: Set<String>, written: [String]) {
    self.layout = layout
    self.documents = documents
    // A disk may not distinguish `hero` from `Hero`.
    self.written = Set(written.map { $0.lowercased() })
    writtenFolders = Set(written.map(Self.folder))
  }

  /// Finds the files.
  ///
  /// - Parameters:
  ///   - beside: Files beside the documents that may be generated.
  ///   - finder: Lists folders.
  /// - Returns: The paths of the files, sorted.
  func find(beside: [String], with finder: inout FileFinder) -> [String] {
    let roots = layout.prunedFolders.map { $0 + "/**/*.graphql.swift" }
    // (Most files belong to this run, and need not be read.)
    let inFolders = finder.files(matching: roots).filter { !isWritten($0) }.filter { path in
      // The files of Apollo's generator are in folders by kind.
      layout.generatedFolders.contains(Self.folder(path)) && FileWriter.isGenerated(path)
        || FileWriter.isGeneratedByApollo(path)
    }
    let besideDocuments = beside.filter { !isWritten($0) }.filter { path in
      isOfDocument(path) && FileWriter.isGenerated(path)
        || writtenFolders.contains(Self.folder(path)) && FileWriter.isGeneratedByApollo(path)
    }
    return Set(inFolders + besideDocuments).sorted()
  }

  private func isWritten(_ path: String) -> Bool { written.contains(path.lowercased()) }

  /// Whether a generated file beside a document belongs to this configuration. If the document exists but is not read
  /// in this run, the file belongs to another configuration.
  private func isOfDocument(_ path: String) -> Bool {
    guard let document = layout.documentPath(ofFile: path) else { return false }
    return documents.contains(document) || !FileManager.default.fileExists(atPath: document)
  }

  private static func folder(_ path: String) -> String {
    "/" + Glob.components(path).dropLast().joined(separator: "/")
  }
}
