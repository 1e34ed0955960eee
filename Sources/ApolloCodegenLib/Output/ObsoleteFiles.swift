import ApolloSwiftRenderer
import Foundation
import GraphQLSyntax

/// Finds the files of earlier runs that this run no longer generates.
///
/// It finds no file that may have been written by hand: each is called `*.graphql.swift`, or is the manifest of a
/// package, and begins as generated files do.
/// Files of Apollo's generator are found where it writes for this configuration: see ``ApolloPlaces``. Of a file of this
/// generator, what it says of its origin decides: see ``FileOrigin``.
struct ObsoleteFiles {
  let layout: OutputLayout
  /// The documents of this run.
  private let documents: FileSet
  /// Whether this run reads all documents of the configuration.
  private let readsAll: Bool
  /// The names of documents of the configuration that are not read, where the folder of a file does not tell which
  /// document it is of.
  private let otherNames: Set<String>
  /// The files of this run.
  private let written: FileSet
  /// The texts of the files of this run.
  private let texts: [String]
  /// See ``OutputLayout/pathsInOtherLayouts(of:)``.
  private let otherPaths: [String: String]
  private let apolloPlaces: ApolloPlaces
  /// The folder `Sources` of the output, and whether its files are of this configuration also where they do not say so:
  /// see ``OutputLayout/ownsFolder(of:)``.
  private let sources: String, ownsSources: Bool
  /// Files for people to change that are kept, and do not fit the configuration.
  private let unfitFiles: [String]

  init(layout: OutputLayout, inputs: InputFiles, files: [OutputFile], otherPaths: [String: String]) {
    let written = files.map(\.path)
    self.layout = layout
    documents = FileSet(Array(inputs.paths.values))
    readsAll = inputs.otherDocuments.isEmpty
    let areBeside = if case .relative = layout.output.operations { true } else { false }
    otherNames = areBeside ? [] : Set(inputs.otherDocuments.map(\.lastPathComponent))
    self.written = FileSet(written, followsLinks: false)
    texts = files.map(\.text)
    self.otherPaths = otherPaths
    unfitFiles = inputs.unfitFiles
    sources = layout.absolute(layout.output.path) + "/Sources/"
    ownsSources = layout.ownsFolder(of: sources)
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
  func find(beside: [String], with finder: inout FileSearch) -> [String] {
    let formerFolders = formerFolders
    let patterns =
      layout.generatedFolders.union(formerFolders).union(apolloPlaces.sharedFolders).union(apolloPlaces.typeFolders)
      .map { Glob.escaped($0) + "/*.graphql.swift" }
      + apolloPlaces.folders.map { Glob.escaped($0) + "/**/*.graphql.swift" } + apolloPlaces.files.map(Glob.escaped)
    // (Most files belong to this run, and need not be read.)
    let paths = (finder.files(matching: patterns) + beside + otherPaths.keys).filter {
      $0.hasSuffix(".graphql.swift") && !written.contains($0)
    }
    let obsolete = Set(paths).filter { path in
      guard let data = FileManager.default.contents(atPath: path) else { return false }
      return isOurs(path, data, formerFolders)
        || readsAll && GeneratedMark.isApollos(data) && apolloPlaces.contain(path, data)
    }
    return (obsolete + formerManifest).sorted()
  }

  /// The manifest of the package that the code was in, where it is in none now, and it has nothing that this generator
  /// did not write. It stays as long as a file of the package does that has to be changed: it tells whose that is.
  private var formerManifest: [String] {
    guard readsAll, let manifest = manifestOfFormerPackage, manifest.isUnchanged,
      !unfitFiles.contains(where: { $0.hasPrefix(sources) })
    else { return [] }
    return [manifest.path]
  }

  /// The folders of the package that the code is in, or was: its manifest tells that all generated files there are of
  /// this configuration, whatever they are of. The mocks may have had another target.
  private var formerFolders: Set<String> {
    guard readsAll, let manifest, manifest.isUnchanged else { return [] }
    let mocks = manifest.mocksFolder.map { layout.absolute(layout.output.path) + "/" + $0 }
    let others = isPackage ? [] : [sources + "Schema", sources + "Operations"]
    return Set(others + (mocks.map { [$0] } ?? []))
  }

  /// Warnings of what may be of a package that the code was in, and is kept.
  var diagnostics: [Diagnostic] {
    guard readsAll else { return [] }
    if let manifest = manifestOfFormerPackage, !manifest.isUnchanged {
      return [
        Diagnostic(
          .unfitFile, severity: .warning,
          "\"\(manifest.path.relativeToCurrentFolder)\" was changed, and is kept, though the module type is not "
            + "\"swiftPackage\" any more.", at: .none,
          help: "Remove the file. If it is yours, remove its line \"\(GeneratedMark.ours)\".")
      ]
    }
    guard let first = unclaimedFiles.first else { return [] }
    return [
      Diagnostic(
        .unfitFile, severity: .warning,
        "\"\(first.relativeToCurrentFolder)\" and what is beside it may be of an earlier run. It is kept, because "
          + "there is no \"Package.swift\" that says so.", at: .none,
        help: "If no other configuration writes it, remove the generated files in \"Sources\".")
    ]
  }

  /// Files that an earlier run may have written to a package, sorted, if all operations there are those of this run.
  private var unclaimedFiles: [String] {
    guard !ownsSources else { return [] }
    // (Another configuration may have documents of the same names. Their texts differ.)
    let files = otherPaths.filter { path, text in
      guard path.hasPrefix(sources), !written.contains(path),
        let origin = FileManager.default.contents(atPath: path).flatMap({ FileOrigin($0) }),
        isMoved(path, origin, fromOwnFolder: true)
      else { return false }
      return origin.definitions == FileOrigin(text)?.definitions
    }
    let operations = sources + "Operations"
    let others = ((try? FileManager.default.contentsOfDirectory(atPath: operations)) ?? [])
      .filter { $0.hasSuffix(".graphql.swift") }.map { operations + "/" + $0 }
    return others.isEmpty || !others.allSatisfy({ files[$0] != nil }) ? [] : files.keys.sorted()
  }

  private typealias Manifest = (path: String, isUnchanged: Bool, mocksFolder: String?)

  private var manifestOfFormerPackage: Manifest? { isPackage ? nil : manifest }

  private var isPackage: Bool { if case .swiftPackage = layout.output.moduleType { true } else { false } }

  /// The manifest that an earlier run wrote.
  private var manifest: Manifest? {
    let output = layout.output
    guard output.part == .all, !output.isFlat, let (path, data) = layout.formerPackage else { return nil }
    return (path, PackageManifest.isUnchanged(data, name: namespace), PackageManifest.mocksFolder(data))
  }

  // MARK: - What belongs to this configuration

  /// Whether an earlier run of this configuration wrote a file.
  private func isOurs(_ path: String, _ data: Data, _ formerFolders: Set<String>) -> Bool {
    guard let origin = FileOrigin(data) else { return false }
    let folder = OutputLayout.folder(of: path)
    if let document = origin.document {
      if otherNames.contains(document) || isOfOthers(folder + "/" + document) { return false }
    } else if !readsAll {
      // The other documents may need what is of the schema, such as a mock.
      return false
    }
    return layout.generatedFolders.contains(folder) || formerFolders.contains(folder)
      || isMoved(path, origin, fromOwnFolder: ownsSources || !path.hasPrefix(sources)) || isOfDocument(path, origin)
  }

  /// Whether a document exists that this run does not read. What is generated from it belongs to another configuration.
  private func isOfOthers(_ document: String) -> Bool {
    !documents.contains(document) && FileManager.default.fileExists(atPath: document)
  }

  /// Whether a file has the origin of one that this run writes to another folder: then the configuration had another
  /// layout, and each type would be declared twice.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - origin: What it says of its origin.
  ///   - isOwn: Whether its folder belongs to this configuration: that decides where the file names no schema.
  /// - Returns: Whether it has.
  private func isMoved(_ path: String, _ origin: FileOrigin, fromOwnFolder isOwn: Bool) -> Bool {
    guard let current = otherPaths[path].flatMap({ FileOrigin($0) }), current.text == origin.text else { return false }
    let schemas = origin.schemas(besides: current.imports.union(target))
    return schemas.isEmpty ? isOwn : schemas == [namespace]
  }

  /// Whether a file beside a document, or beside where one was, belongs to this configuration.
  private func isOfDocument(_ path: String, _ origin: FileOrigin) -> Bool {
    guard let name = origin.document, let folder = layout.documentFolder(ofFile: path) else { return false }
    let document = folder + "/" + name
    if documents.contains(document) { return true }
    guard !isOfOthers(document), layout.isSearched(document), !isOutputOfOthers(OutputLayout.folder(of: path)) else {
      return false
    }
    if layout.alwaysNamesSchema { return origin.schemas(besides: []).contains(namespace) }
    // Where code names its metadata, an import says nothing more.
    let namesMetadata = CodePlacement(layout.configuration).hasSchemaMetadata
    let modules = namesMetadata ? origin.imports : importedModules.union(target)
    return origin.schemas(besides: modules).isSubset(of: [namespace])
  }

  /// Whether a folder has the operations of a schema whose types this run does not write.
  private func isOutputOfOthers(_ folder: String) -> Bool {
    [folder, OutputLayout.folder(of: folder) + "/Schema"].contains { folder in
      let schema = folder + "/" + DocumentFileNames.schema
      return !written.contains(schema) && FileManager.default.fileExists(atPath: schema)
    }
  }

  /// The modules that the files of this run import.
  private var importedModules: Set<String> {
    texts.reduce(into: []) { $0.formUnion(FileOrigin($1)?.imports ?? []) }
  }

  private var namespace: String { layout.configuration.schemaNamespace }

  /// The target that the namespace is in, which operations import; none if the schema's types are a module.
  private var target: Set<String> {
    if case .embeddedInTarget(let name, _) = layout.output.moduleType { [name] } else { [] }
  }
}
