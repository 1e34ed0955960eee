import ApolloSwiftRenderer
import Foundation
import GraphQLSyntax

/// Decides in which folders generated files are written.
struct OutputLayout {
  let configuration: ApolloCodegenConfiguration
  /// The folder that relative paths start from.
  private let base: String

  init(_ configuration: ApolloCodegenConfiguration, base: String) {
    self.configuration = configuration
    self.base = base
  }

  var output: ApolloCodegenConfiguration.Output { configuration.output }

  /// The files to write.
  ///
  /// - Parameters:
  ///   - code: The generated code.
  ///   - documentPaths: The absolute paths of the `.graphql` files.
  /// - Returns: The files with their absolute paths.
  func files(for code: GeneratedCode, documentPaths: [Source.ID: String]) -> [OutputFile] {
    if output.part == .mocks { return mocks(code) }
    var files =
      output.singleFile.map { [OutputFile(configured: absolute($0), text: code.joined, kind: codeKind)] }
      ?? separateFiles(for: code, documentPaths: documentPaths)
    files += mocks(code)
    if let manifest = PackageManifest(configuration) {
      files.append(
        OutputFile(
          folder: absolute(output.path), name: "Package.swift", text: manifest.text,
          kind: .packageManifest(targets: manifest.targets)))
    }
    return files + editableFiles(code)
  }

  /// In a folder that the build makes, mocks are one file: their number is known only behind the run.
  private func mocks(_ code: GeneratedCode) -> [OutputFile] {
    guard let folder = mocksFolder else { return [] }
    let kind = codeKind
    if output.isFlat, output.part == .mocks {
      return [OutputFile(folder: folder, name: DocumentFileNames.mocks, text: code.joinedMocks, kind: kind)]
    }
    return code.mocks.map { OutputFile(folder: folder, name: $0.name, text: $0.text, kind: kind) }
  }

  private func separateFiles(for code: GeneratedCode, documentPaths: [Source.ID: String]) -> [OutputFile] {
    var files: [OutputFile] = []
    let folders = Set(code.documents.map { folder(forDocument: documentPaths[$0.source] ?? "") })
    let kind = codeKind(besideDocumentsIn: folders)
    if output.part != .operations {
      files.append(OutputFile(folder: schemaFolder, name: code.schema.name, text: code.schema.text, kind: kind))
    }
    for document in code.documents {
      let folder = folder(forDocument: documentPaths[document.source] ?? "")
      files.append(OutputFile(folder: folder, name: document.file.name, text: document.file.text, kind: kind))
    }
    return files
  }

  private func editableFiles(_ code: GeneratedCode) -> [OutputFile] {
    code.editable.map { file in
      // The name may have a folder, which is one of ours.
      let folder = ["CustomScalars/"].first { file.name.utf8.starts(with: $0.utf8) } ?? ""
      return OutputFile(
        folder: schemaFolder + "/" + folder.dropLast(), name: String(file.name.dropFirst(folder.count)),
        text: file.text, kind: .editable)
    }
  }

  private var codeKind: FileKind { codeKind(besideDocumentsIn: []) }

  /// What is known of the files that Swift files may replace.
  private func codeKind(besideDocumentsIn folders: Set<String>) -> FileKind {
    var places = apolloPlaces
    places.sharedFolders.formUnion(folders)
    return .code(places)
  }

  /// Whether a file for people to change is where this configuration writes it, or where it would with another layout.
  /// A folder that has the types of another schema belongs to another configuration; see also ``ownsFolder(of:)``.
  func isFileForPeople(_ file: String) -> Bool {
    let path = absolute(output.path), folder = Self.folder(of: file)
    return [path, path + "/Sources"].contains { sources in
      let schema = sources + "/Schema"
      guard [schema, schema + "/CustomScalars"].contains(folder) else { return false }
      if schema == schemaFolder { return true }
      let data = FileManager.default.contents(atPath: schema + "/" + DocumentFileNames.schema)
      let namespace = data.flatMap { EditableDeclaration.namespace(ofSchema: String(decoding: $0, as: UTF8.self)) }
      return namespace.map { $0 == configuration.schemaNamespace } ?? ownsFolder(of: file)
    }
  }

  /// Whether a folder of this or of another layout belongs to this configuration also where a file does not say so. The
  /// folder `Sources` in that of the output may be the output of another configuration, unless there is a manifest that
  /// this one wrote for a package.
  ///
  /// - Parameter file: A file in the folder.
  /// - Returns: Whether it does.
  func ownsFolder(of file: String) -> Bool {
    if case .swiftPackage = output.moduleType { return true }
    return !file.hasPrefix(absolute(output.path) + "/Sources/") || formerPackage != nil
  }

  /// The manifest of a package in the folder of the output, if this generator wrote it for the schema's namespace.
  var formerPackage: (path: String, data: Data)? {
    let path = absolute(output.path) + "/Package.swift", name = configuration.schemaNamespace
    guard let data = FileManager.default.contents(atPath: path), GeneratedMark.isOurs(data),
      GeneratedMark.lines(data).contains("name: \"\(name)\",")
    else { return nil }
    return (path, data)
  }

  /// Folders in which files of earlier runs belong to this configuration, whatever they are of.
  var generatedFolders: Set<String> {
    var folders: Set<String> = []
    if let mocksFolder { folders.insert(mocksFolder) }
    guard output.singleFile == nil, output.part != .mocks else { return folders }
    folders.insert(schemaFolder)
    switch output.operations {
    case .inSchemaModule: folders.insert(operationsFolder)
    case .absolute(let path, _): folders.insert(absolute(path))
    // Documents of other configurations may be there as well: see `documentFolder(ofFile:)`.
    case .relative: break
    }
    return folders
  }

  /// The paths that the files of this run have in other layouts, with the texts of the files.
  ///
  /// They are those in the folder of the schema's types. Not among them is a folder of `absolute` operations that the
  /// configuration does not name; nor are the folders of the documents, which other configurations may read as well.
  func pathsInOtherLayouts(of code: GeneratedCode) -> [String: String] {
    guard output.part != .mocks else { return [:] }
    let path = absolute(output.path)
    var paths: [String: String] = [:]
    func add(_ file: GeneratedFile, in folders: [String]) {
      for folder in folders { paths["\(folder)/\(file.name)"] = file.text }
    }
    if output.part != .operations { add(code.schema, in: [path, "\(path)/Schema", "\(path)/Sources/Schema"]) }
    for document in code.documents {
      add(document.file, in: [path, "\(path)/Operations", "\(path)/Sources/Operations"])
    }
    for mock in code.mocks { add(mock, in: ["\(path)/TestMocks"]) }
    return paths
  }

  /// The folder of the document that a file of an earlier run was generated from, if each file is beside its document;
  /// nil if that is not known.
  func documentFolder(ofFile path: String) -> String? {
    guard case .relative(let subpath, _) = output.operations else { return nil }
    let folder = Glob.components(path).dropLast(), inner = Glob.components("/" + (subpath ?? ""))
    guard folder.suffix(inner.count).elementsEqual(inner) else { return nil }
    return "/" + folder.dropLast(inner.count).joined(separator: "/")
  }

  /// Whether a document at a path would be read.
  func isSearched(_ path: String) -> Bool {
    let patterns = configuration.input.operationSearchPaths.flatMap { FileSearch.alternatives($0, base: base) }
    let globs = patterns.map { Glob($0, base: base) }.filter { $0.matches(path) }
    return !globs.isEmpty && !globs.contains(where: \.isExclusion)
  }

  /// Whether the file of every document names the module or the namespace of the schema's types.
  var alwaysNamesSchema: Bool {
    let placement = CodePlacement(configuration)
    return placement.hasSchemaMetadata && placement.surroundings != .sameModule
  }

  /// The folder of the output that a file is in. It belongs to the user, and so do the folders around it.
  func outputFolder(ofFile path: String) -> String {
    let folder = Self.folder(of: path)
    var folders = [absolute(output.path)]
    if let mocksFolder { folders.append(mocksFolder) }
    if case .absolute(let path, _) = output.operations { folders.append(absolute(path)) }
    let around = folders.filter { folder == $0 || folder.hasPrefix($0 == "/" ? $0 : $0 + "/") }
    return around.min { $0.utf8.count < $1.utf8.count } ?? documentFolder(ofFile: path) ?? folder
  }

  /// The path of the folder that a file, or a folder, is in.
  static func folder(of path: String) -> String { "/" + Glob.components(path).dropLast().joined(separator: "/") }

  private var schemaFolder: String { sourcesFolder + (isFlat ? "" : "/Schema") }
  private var operationsFolder: String { sourcesFolder + (isFlat ? "" : "/Operations") }

  var sourcesFolder: String {
    if case .swiftPackage = output.moduleType { return absolute(output.path) + "/Sources" }
    return absolute(output.path)
  }

  var isFlat: Bool { output.isWithoutFolders }

  private func folder(forDocument path: String) -> String {
    switch output.operations {
    case .inSchemaModule: return operationsFolder
    case .absolute(let path, _): return absolute(path)
    case .relative(let subpath, _):
      let folder = path.split(separator: "/").dropLast().map { "/" + $0 }.joined()
      return folder + (subpath.map { "/" + $0 } ?? "")
    }
  }

  func absolute(_ path: String) -> String { Glob.normalized(path, base: base) }

  var mocksFolder: String? {
    switch output.testMocks {
    case .none: nil
    case .absolute(let path, _): absolute(path)
    case .swiftPackage: absolute(output.path) + "/" + output.packagedMocksFolder
    }
  }
}
