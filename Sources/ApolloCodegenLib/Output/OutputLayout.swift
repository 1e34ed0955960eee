import Foundation
import GraphQLSyntax

/// Decides in which folders generated files are written.
struct OutputLayout {
  private let configuration: ApolloCodegenConfiguration
  /// The folder that relative paths start from.
  private let base: String

  init(_ configuration: ApolloCodegenConfiguration, base: String) {
    self.configuration = configuration
    self.base = base
  }

  private var output: ApolloCodegenConfiguration.Output { configuration.output }

  /// The files to write.
  ///
  /// - Parameters:
  ///   - code: The generated code.
  ///   - documentPaths: The absolute paths of the `.graphql` files.
  /// - Returns: The files with their absolute paths.
  func files(for code: GeneratedCode, documentPaths: [Source.ID: String]) -> [OutputFile] {
    if output.part == .mocks { return mocks(code) }
    var files =
      output.singleFile.map { [OutputFile(configured: absolute($0), text: code.joined)] }
      ?? separateFiles(for: code, documentPaths: documentPaths)
    files += mocks(code)
    if let text = PackageManifest(configuration)?.text {
      files.append(OutputFile(folder: absolute(output.path), name: "Package.swift", text: text))
    }
    return files + editableFiles(code)
  }

  /// In a folder that the build makes, mocks are one file: their number is known only behind the run.
  private func mocks(_ code: GeneratedCode) -> [OutputFile] {
    guard let folder = mocksFolder else { return [] }
    if output.isFlat, output.part == .mocks {
      return [OutputFile(folder: folder, name: DocumentFileNames.mocks, text: code.joinedMocks)]
    }
    return code.mocks.map { OutputFile(folder: folder, name: $0.name, text: $0.text) }
  }

  private func separateFiles(for code: GeneratedCode, documentPaths: [Source.ID: String]) -> [OutputFile] {
    var files: [OutputFile] = []
    if output.part != .operations {
      files.append(OutputFile(folder: schemaFolder, name: code.schema.name, text: code.schema.text))
    }
    for document in code.documents {
      let folder = folder(forDocument: documentPaths[document.source] ?? "")
      files.append(OutputFile(folder: folder, name: document.file.name, text: document.file.text))
    }
    return files
  }

  private func editableFiles(_ code: GeneratedCode) -> [OutputFile] {
    code.editable.map { file in
      // The name may have a folder, which is one of ours.
      let folder = ["CustomScalars/"].first { file.name.utf8.starts(with: $0.utf8) } ?? ""
      return OutputFile(
        folder: schemaFolder + "/" + folder.dropLast(), name: String(file.name.dropFirst(folder.count)),
        text: file.text, isEditable: true)
    }
  }

  /// Folders in which everything that the generator of Apollo iOS wrote belonged to this configuration.
  var prunedFolders: Set<String> {
    output.singleFile == nil && output.part != .mocks
      ? generatedFolders.union([absolute(output.path)]) : generatedFolders
  }

  /// Folders in which every file of an earlier run belongs to this configuration.
  var generatedFolders: Set<String> {
    var folders: Set<String> = []
    if let mocksFolder { folders.insert(mocksFolder) }
    guard output.singleFile == nil, output.part != .mocks else { return folders }
    folders.insert(schemaFolder)
    switch output.operations {
    case .inSchemaModule: folders.insert(operationsFolder)
    case .absolute(let path, _): folders.insert(absolute(path))
    // Documents of other configurations may be there as well: see `documentPath(ofFile:)`.
    case .relative: break
    }
    return folders
  }

  /// The document that a file of an earlier run was generated from, if each file is beside its document; nil if that is
  /// not known.
  func documentPath(ofFile path: String) -> String? {
    guard case .relative(let subpath, _) = output.operations, path.hasSuffix(".graphql.swift") else { return nil }
    let document = String(path.dropLast(".swift".count))
    guard let subpath else { return document }
    let components = Glob.components(document), inner = Glob.components("/" + subpath)
    guard components.dropLast().suffix(inner.count).elementsEqual(inner), let name = components.last else { return nil }
    return "/" + (components.dropLast(inner.count + 1) + [name]).joined(separator: "/")
  }

  private var schemaFolder: String { sourcesFolder + (isFlat ? "" : "/Schema") }
  private var operationsFolder: String { sourcesFolder + (isFlat ? "" : "/Operations") }

  private var sourcesFolder: String {
    if case .swiftPackage = output.moduleType { return absolute(output.path) + "/Sources" }
    return absolute(output.path)
  }

  private var isFlat: Bool { output.isWithoutFolders }

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

  private var mocksFolder: String? {
    switch output.testMocks {
    case .none: nil
    case .absolute(let path, _): absolute(path)
    case .swiftPackage: absolute(output.path) + "/TestMocks"
    }
  }
}
