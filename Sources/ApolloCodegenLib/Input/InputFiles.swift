import Foundation
import GraphQLSyntax

/// The files that a run reads.
struct InputFiles {
  private(set) var schema: [Source] = []
  private(set) var operations: [Source] = []
  /// What cannot be found or read.
  private(set) var diagnostics: [Diagnostic] = []
  /// The absolute paths of the sources.
  private(set) var paths: [Source.ID: String] = [:]
  /// Whether files of earlier runs may be removed: what is not found may be taken for what is no longer there.
  let canPrune: Bool
  /// The documents of the configuration that this run does not read.
  private(set) var otherDocuments: [String] = []
  /// Files beside the documents that an earlier run may have generated.
  private(set) var generatedFiles: [String] = []
  /// See ``ProvidedFiles``.
  private(set) var providedFiles: [String] = []
  /// Files for people to change that do not fit the configuration, and that were not changed: see ``ProvidedFiles``.
  private(set) var outdatedFiles: [String] = []
  /// Those that were changed.
  private(set) var unfitFiles: [String] = []
  /// Whether the app makes keys of objects by code, which the generator does not know.
  private(set) var makesKeysByCode = false

  /// Finds and reads the files.
  ///
  /// - Parameters:
  ///   - configuration: Says which files are read.
  ///   - base: The folder that relative patterns start from.
  ///   - namesAbsolutePaths: Whether the sources are named by absolute paths.
  ///   - allowed: Where files may be written; nil: anywhere.
  ///   - isFileForPeople: Whether the generator may have written a file for people to change, in this layout or another.
  init(
    _ configuration: ApolloCodegenConfiguration, base: String, namesAbsolutePaths: Bool, writingIn allowed: URL?,
    isFileForPeople: (String) -> Bool
  ) {
    var finder = FileSearch(base: base)
    let input = configuration.input, output = configuration.output
    // Patterns may lead to one file on several ways, and one such as `**/*.graphql` may match a schema as well.
    var known = FileSet()
    let searched = finder.files(matching: input.schemaSearchPaths)
    let schemaPaths = FileSearch.sorted(searched + finder.files(matching: input.schemaExtensions))
      .filter { known.insert($0) }
    let needsOperations = output.part != .schemaTypes
    let operationPaths = !needsOperations ? [] : Self.operations(configuration, base, &finder, besides: &known)
    if output.prunesGeneratedFiles {
      otherDocuments = finder.files(matching: input.replacedOperationSearchPaths).filter { !known.contains($0) }
    }
    let unreadable = finder.unreadable
    canPrune = output.prunesGeneratedFiles && unreadable.isEmpty
    if case .relative = output.operations, canPrune {
      generatedFiles = finder.files(
        matching: input.operationSearchPaths.filter { !$0.hasPrefix("!") }
          .flatMap { FileSearch.alternatives($0, base: base) }
          .map { Glob.escaped(Glob($0, base: base).root) + "/**/*.graphql.swift" })
    }
    // What is named and not found would be taken for what is no longer there, and its output removed.
    let missingSchemas =
      (searched.isEmpty ? input.schemaSearchPaths : finder.missing(of: input.schemaSearchPaths))
      + finder.missing(of: input.schemaExtensions)
    if !missingSchemas.isEmpty {
      let help = searched.isEmpty ? Self.fetching(missingSchemas, base: base) : Self.correcting
      diagnostics.append(Self.missing("schema", .missingSchema, missingSchemas, base: base, help: help))
    }
    var missingOperations =
      operationPaths.isEmpty ? input.operationSearchPaths : finder.missing(of: input.operationSearchPaths)
    var help = operationPaths.isEmpty ? nil : Self.correcting
    if let only = Self.onlyDocument(configuration, base), !operationPaths.contains(where: FileSet([only]).contains) {
      missingOperations = [only]
      help = "It is not there, or it is excluded."
    }
    if !missingOperations.isEmpty, needsOperations {
      diagnostics.append(Self.missing("operation", .missingOperations, missingOperations, base: base, help: help))
    }
    diagnostics += unreadable.sorted { $0.key < $1.key }.map { folder, reason in
      Diagnostic(
        .unreadableFile, severity: .warning, "The folder \"\(folder)\" cannot be read: \(reason)", at: .none,
        help: "So no file of an earlier run is removed. If nothing in the folder is meant, exclude it in the search "
          + "paths: \"!\(Glob.escaped(Self.relative(folder, to: base)))/**\".")
    }
    var remaining = input.maximumSchemaSize
    for path in schemaPaths {
      guard let source = read(path, namesAbsolutePaths: namesAbsolutePaths, limit: remaining) else { continue }
      guard source.count <= remaining else {
        diagnostics.append(Self.tooLarge(path, input))
        break
      }
      remaining -= source.count
      schema.append(source)
    }
    var provided = ProvidedFiles(output.providedFiles)
    // Documents that are not read may need what they declare.
    provided.search(
      for: configuration, of: schema, base: base, in: allowed, replaces: canPrune && otherDocuments.isEmpty,
      with: &finder, isFileForPeople: isFileForPeople)
    providedFiles = provided.files
    outdatedFiles = provided.outdated
    unfitFiles = provided.unfit
    diagnostics += provided.diagnostics
    makesKeysByCode = output.schemaConfiguration == .provided || provided.makeKeys
    operations = operationPaths.compactMap { read($0, namesAbsolutePaths: namesAbsolutePaths) }
  }

  private static func contents(_ path: String, _ limit: Int?) throws -> Data {
    let url = URL(fileURLWithPath: path)
    guard let limit, limit < .max else { return try Data(contentsOf: url) }
    let file = try FileHandle(forReadingFrom: url)
    defer { try? file.close() }
    return try file.read(upToCount: limit + 1) ?? Data()
  }

  /// The paths of the documents to read.
  private static func operations(
    _ configuration: ApolloCodegenConfiguration, _ base: String, _ finder: inout FileSearch,
    besides known: inout FileSet
  ) -> [String] {
    let patterns = configuration.input.operationSearchPaths
    var paths = finder.files(matching: patterns)
    if let only = onlyDocument(configuration, base) {
      // (Where a pattern finds it as well, it has the path from there.)
      paths += finder.files(matching: [Glob.escaped(only)] + patterns.filter { $0.hasPrefix("!") })
    }
    return paths.filter { known.insert($0) }
  }

  /// The absolute path of the only document whose code is written; nil for all.
  private static func onlyDocument(_ configuration: ApolloCodegenConfiguration, _ base: String) -> String? {
    configuration.output.onlyDocument.map { Glob.normalized($0, base: base) }
  }

  private static func missing(
    _ kind: String, _ code: Diagnostic.Code, _ patterns: [String], base: String, help: String?
  ) -> Diagnostic {
    let list = Suggestions.list(patterns.map { "\"\($0)\"" }, "or")
    return Diagnostic(code, "No \(kind) file matches \(list) in \"\(base)\".", at: .none, help: help)
  }

  /// What to do if a file is not there, and others are.
  private static let correcting = "A file that is named has to be there. Correct the name, or remove it."

  /// What to do if there is no schema.
  private static func fetching(_ patterns: [String], base: String) -> String {
    let paths = patterns.flatMap(Glob.expanded)
    let fetched = paths.count == 1 && Glob(paths[0], base: base).path != nil ? paths[0] : "schema.graphqls"
    return "Add the server's schema, or fetch it: swift package apollo-codegen start https://…, or fetch-schema "
      + "--endpoint https://… --output \(relative(fetched, to: base)) (on a Mac, swift package needs "
      + "--allow-network-connections all)."
  }

  private static func relative(_ path: String, to base: String) -> String {
    path.hasPrefix(base + "/") ? String(path.dropFirst(base.count + 1)) : path
  }

  private static func tooLarge(_ path: String, _ input: ApolloCodegenConfiguration.Input) -> Diagnostic {
    Diagnostic(
      .unreadableFile,
      "With \"\(path)\" the schema has more than \(input.maximumSchemaSize) bytes, which is the limit.", at: .none,
      help: "If that is right, raise \"maximumSchemaSize\" of the configuration's \"input\".")
  }

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - namesAbsolutePaths: Whether the source is named by its absolute path.
  ///   - limit: Of a larger file, only one byte more than this is read. nil, the default: all is read.
  /// - Returns: The source; nil, with a diagnostic, if it cannot be read.
  private mutating func read(_ path: String, namesAbsolutePaths: Bool, limit: Int? = nil) -> Source? {
    do {
      let data = try Self.contents(path, limit)
      let source = Source(utf8: data, name: namesAbsolutePaths ? path : path.relativeToCurrentFolder)
      paths[source.id] = path
      return source
    } catch {
      diagnostics.append(
        Diagnostic(.unreadableFile, "\"\(path)\" cannot be read: \(error.localizedDescription)", at: .none))
      return nil
    }
  }
}

extension String {
  /// The path relative to the current folder if the file is in there, as people and editors expect it.
  package var relativeToCurrentFolder: String {
    let current = FileManager.default.currentDirectoryPath + "/"
    return hasPrefix(current) ? String(dropFirst(current.count)) : self
  }
}
