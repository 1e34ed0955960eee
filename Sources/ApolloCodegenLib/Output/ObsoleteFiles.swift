import Foundation

/// Finds the files of earlier runs that this run no longer generates.
///
/// It finds no file that a person may have written: each is called `*.graphql.swift`, and begins as generated files do.
/// Files of Apollo's generator are found where it writes for this configuration: see ``ApolloPlaces``.
struct ObsoleteFiles {
  let layout: OutputLayout
  /// The absolute paths of the documents of this run.
  let documents: Set<String>
  private let written: Set<String>
  private let apolloPlaces: ApolloPlaces

  init(layout: OutputLayout, documents: Set<String>, written: [String]) {
    self.layout = layout
    self.documents = documents
    // A disk may not distinguish `hero` from `Hero`.
    self.written = Set(written.map { $0.lowercased() })
    var places = layout.apolloPlaces
    if case .relative = layout.output.operations {
      places.sharedFolders.formUnion(written.map(OutputLayout.folder))
    }
    apolloPlaces = places
  }

  /// Finds the files.
  ///
  /// - Parameters:
  ///   - beside: Files beside the documents that may be generated.
  ///   - finder: Lists folders.
  /// - Returns: The paths of the files, sorted.
  func find(beside: [String], with finder: inout FileFinder) -> [String] {
    let patterns =
      layout.generatedFolders.union(apolloPlaces.sharedFolders).map { $0 + "/*.graphql.swift" }
      + apolloPlaces.folders.map { $0 + "/**/*.graphql.swift" } + apolloPlaces.files
    // (Most files belong to this run, and need not be read.)
    let paths = Set(finder.files(matching: patterns) + beside).filter {
      $0.hasSuffix(".graphql.swift") && !isWritten($0)
    }
    return paths.filter { path in
      guard let data = FileManager.default.contents(atPath: path) else { return false }
      return isInOurPlace(path) && GeneratedMark.isOurs(data)
        || GeneratedMark.isApollos(data) && apolloPlaces.contain(path, data)
    }.sorted()
  }

  private func isWritten(_ path: String) -> Bool { written.contains(path.lowercased()) }

  private func isInOurPlace(_ path: String) -> Bool {
    layout.generatedFolders.contains(OutputLayout.folder(of: path)) || isOfDocument(path)
  }

  /// Whether a generated file beside a document belongs to this configuration. If the document exists but is not read
  /// in this run, the file belongs to another configuration.
  private func isOfDocument(_ path: String) -> Bool {
    guard let document = layout.documentPath(ofFile: path) else { return false }
    return documents.contains(document) || !FileManager.default.fileExists(atPath: document)
  }
}
