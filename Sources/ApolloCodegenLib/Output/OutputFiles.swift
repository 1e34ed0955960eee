import Foundation
import GraphQLSyntax

/// The files of a run: the last stage, which decides where files are, and writes them.
struct OutputFiles {
  /// Those that belong to the configuration, with their contents.
  let files: [OutputFile]
  /// The paths of files of earlier runs that this run no longer generates.
  let obsolete: [String]
  /// Warnings of files of earlier runs that are kept because they were changed.
  let diagnostics: [Diagnostic]
  private let layout: OutputLayout
  private let writer: FileWriter

  /// Decides where generated code is written, and which files of earlier runs are obsolete.
  ///
  /// - Parameters:
  ///   - code: The generated code.
  ///   - inputs: What it was generated from.
  ///   - configuration: Where the files are.
  ///   - writer: Writes the files. Relative paths start from its folder.
  ///   - folder: Where all files have to be, links followed; nil: anywhere.
  /// - Throws: Files that are elsewhere, or cannot have their names. They are found before the folders are searched for
  ///   obsolete files: what a configuration names may be a whole disk.
  init(
    _ code: GeneratedCode, of inputs: InputFiles, _ configuration: ApolloCodegenConfiguration, with writer: FileWriter,
    in folder: URL?
  ) throws(DiagnosticsError) {
    let base = writer.root
    layout = OutputLayout(configuration, base: base)
    self.writer = writer
    let outdated = FileSet(inputs.outdatedFiles)
    var files = layout.files(for: code, documentPaths: inputs.paths).filter {
      !$0.isEditable || outdated.contains($0.path) || !FileManager.default.fileExists(atPath: $0.path)
    }
    if let manifest = configuration.manifestBesideCode {
      files.append(OutputFile(manifest: code.manifest, as: manifest, base: base))
    }
    self.files = files
    try Self.checkNames(files)
    try Self.check(files.map(\.path), areIn: folder)
    guard inputs.canPrune else {
      obsolete = []
      diagnostics = []
      return
    }
    let obsolete = ObsoleteFiles(
      layout: layout, inputs: inputs, files: files, otherPaths: layout.pathsInOtherLayouts(of: code))
    diagnostics = obsolete.diagnostics
    var finder = FileSearch(base: base)
    let written = FileSet(files.map(\.path))
    self.obsolete =
      (obsolete.find(beside: inputs.generatedFiles, with: &finder)
      + inputs.outdatedFiles.filter { !written.contains($0) }).sorted()
    try Self.check(self.obsolete, areIn: folder)
  }

  /// The manifest of all operations alone. It throws as the other initializer does.
  init(
    manifest: OperationManifest, as file: OperationManifest.Configuration, _ configuration: ApolloCodegenConfiguration,
    with writer: FileWriter, in folder: URL?
  ) throws(DiagnosticsError) {
    files = [OutputFile(manifest: manifest, as: file, base: writer.root)]
    obsolete = []
    diagnostics = []
    layout = OutputLayout(configuration, base: writer.root)
    self.writer = writer
    try Self.checkNames(files)
    try Self.check(files.map(\.path), areIn: folder)
  }

  private static func checkNames(_ files: [OutputFile]) throws(DiagnosticsError) {
    let misnamed = files.filter { !$0.hasPlainName }.map { file in
      Diagnostic(
        .invalidFileName, "A file cannot be called \"\(file.name)\".", at: .none,
        help: "A name has no \"/\", no \"\\\" and no U+0000. Rename what the file is generated from.")
    }
    guard misnamed.isEmpty else { throw DiagnosticsError(misnamed) }
  }

  /// Throws an error if one of some paths is not in a folder, links followed; nil: they may be anywhere.
  static func check(_ paths: [String], areIn folder: URL?) throws(DiagnosticsError) {
    guard let folder else { return }
    let allowed = ResolvedPath(folder.path)
    let outside = paths.filter { !allowed.contains($0) }
    guard let first = outside.first else { return }
    throw DiagnosticsError([
      Diagnostic(
        .outsideAllowedFolder,
        "\"\(first)\"\(outside.count > 1 ? " and \(outside.count - 1) more" : "") would be written outside of \"\(allowed.path)\".",
        at: .none,
        help:
          "Change the paths of output in the configuration, or run apollo-codegen itself: a plugin may write "
          + "to its package only.")
    ])
  }

  /// The files that ``write()`` would change.
  ///
  /// - Throws: The errors with which it would end.
  func stale() throws(DiagnosticsError) -> [StaleFile] {
    try writer.changed(files).compactMap { StaleFile($0) } + obsolete.map { StaleFile(obsolete: $0) }
  }

  /// Writes the files that differ, and removes those that are obsolete. If a file cannot be written, nothing changes.
  ///
  /// - Returns: The paths of the files that were written, and of those that were removed.
  func write() throws(DiagnosticsError) -> (changed: [String], removed: [String]) {
    let changed = try writer.write(files)
    return (changed, writer.remove(obsolete, outputFolder: layout.outputFolder))
  }
}

/// A file that belongs to a configuration.
struct OutputFile {
  /// The absolute path of the folder.
  let folder: String
  /// The name in the folder.
  let name: String
  let text: String
  let kind: FileKind

  init(folder: String, name: String, text: String, kind: FileKind) {
    // What is in two folders would be two files.
    self.folder = "/" + Glob.components(folder).joined(separator: "/")
    self.name = name
    self.text = text
    self.kind = kind
  }

  /// A file whose whole path is in the configuration.
  init(configured path: String, text: String, kind: FileKind) {
    let components = Glob.components(path)
    self.init(
      folder: components.dropLast().joined(separator: "/"), name: components.last ?? "", text: text, kind: kind)
  }

  /// The contents.
  var data: Data { Data(text.utf8) }

  /// Whether people change the file: it is written only if it does not exist.
  var isEditable: Bool { if case .editable = kind { true } else { false } }

  /// The absolute path.
  var path: String { (folder == "/" ? "" : folder) + "/" + name }

  /// Whether the name is that of a file in the folder, on every system.
  var hasPlainName: Bool {
    !["", ".", ".."].contains(name)
      && name.utf8.allSatisfy { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "\\") && $0 != 0 }
  }
}

extension OutputFile {
  /// The manifest of all operations.
  fileprivate init(manifest: OperationManifest, as file: OperationManifest.Configuration, base: String) {
    self.init(
      configured: Glob.normalized(file.path, base: base), text: manifest.text(file.version), kind: .operationManifest)
  }
}
