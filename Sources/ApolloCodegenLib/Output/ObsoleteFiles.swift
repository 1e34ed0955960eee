import Foundation

/// Finds the files that a generator wrote and nothing stands for any more.
///
/// None is among them that a person may have written: each is called `*.graphql.swift`, and begins as generated files do.
struct ObsoleteFiles {
  let layout: OutputLayout
  /// The absolute paths of the documents of this run.
  let documents: Set<String>
  private let written: Set<String>
  private let writtenFolders: Set<String>

  init(layout: OutputLayout, documents: Set<String>, written: [String]) {
    self.layout = layout
    self.documents = documents
    // Disks may not tell `hero` from `Hero`.
    self.written = Set(written.map { $0.lowercased() })
    writtenFolders = Set(written.map(Self.folder))
  }

  /// - Parameter beside: Files that may be generated, among the documents.
  func find(beside: [String], with finder: inout FileFinder) -> [String] {
    let roots = layout.prunedFolders.map { $0 + "/**/*.graphql.swift" }
    // (Most files are those of this run, which need not be read.)
    let inFolders = finder.files(matching: roots).filter { !isWritten($0) }.filter { path in
      // Those of Apollo's generator are in folders by kind.
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

  /// Whether a file that stands beside its document is of this configuration: a document that is there and not among those of
  /// this run belongs to another one.
  private func isOfDocument(_ path: String) -> Bool {
    guard let document = layout.documentPath(ofFile: path) else { return false }
    return documents.contains(document) || !FileManager.default.fileExists(atPath: document)
  }

  private static func folder(_ path: String) -> String {
    "/" + Glob.components(path).dropLast().joined(separator: "/")
  }
}
