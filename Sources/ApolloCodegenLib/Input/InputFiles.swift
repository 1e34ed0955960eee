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
  /// Files beside the documents that an earlier run may have generated.
  private(set) var generatedFiles: [String] = []
  /// See ``ProvidedFiles``.
  private(set) var providedFiles: [String] = []
  /// Whether the app makes keys of objects by code, which the generator does not know.
  private(set) var makesKeysByCode: Bool

  /// Finds and reads the files.
  ///
  /// - Parameters:
  ///   - configuration: Says which files are read.
  ///   - base: The folder that relative patterns start from.
  ///   - namesAbsolutePaths: Whether the sources are named by absolute paths.
  ///   - allowed: Where files may be written; nil: anywhere.
  init(_ configuration: ApolloCodegenConfiguration, base: String, namesAbsolutePaths: Bool, writingIn allowed: URL?) {
    var finder = FileFinder(base: base)
    let input = configuration.input, output = configuration.output
    let schemaPaths = finder.files(matching: input.schemaSearchPaths)
    let needsOperations = output.part != .schemaTypes
    // A pattern such as `**/*.graphql` may match a schema as well.
    let operationPaths = finder.files(matching: needsOperations ? input.operationSearchPaths : [])
      .filter { !schemaPaths.contains($0) }
    let unreadable = finder.unreadable
    if case .relative = output.operations, output.prunesGeneratedFiles {
      generatedFiles = finder.files(
        matching: input.operationSearchPaths.filter { !$0.hasPrefix("!") }.map {
          Glob.escaped(Glob($0, base: base).root) + "/**/*.graphql.swift"
        })
    }
    // What is not found would be taken for what is no longer there, and its output removed.
    let missingSchemas = schemaPaths.isEmpty ? input.schemaSearchPaths : finder.missing(of: input.schemaSearchPaths)
    if !missingSchemas.isEmpty {
      diagnostics.append(Self.missing(.missingSchema, patterns: missingSchemas, base: base))
    }
    let missingOperations =
      operationPaths.isEmpty ? input.operationSearchPaths : finder.missing(of: input.operationSearchPaths)
    if !missingOperations.isEmpty, needsOperations {
      diagnostics.append(Self.missing(.missingOperations, patterns: missingOperations, base: base))
    }
    diagnostics += unreadable.sorted { $0.key < $1.key }.map { folder, reason in
      Diagnostic(
        .unreadableFile, "The folder \"\(folder)\" cannot be read: \(reason)", at: .none,
        help: "If nothing in it is meant, exclude it in the search paths: \"!\(folder)/**\".")
    }
    var provided = ProvidedFiles(output.providedFiles)
    provided.search(for: configuration, base: base, in: allowed, with: &finder)
    providedFiles = provided.files
    makesKeysByCode = output.schemaConfiguration == .provided || provided.makeKeys
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
    operations = operationPaths.compactMap { read($0, namesAbsolutePaths: namesAbsolutePaths) }
  }

  private static func contents(_ path: String, _ limit: Int?) throws -> Data {
    let url = URL(fileURLWithPath: path)
    guard let limit, limit < .max else { return try Data(contentsOf: url) }
    let file = try FileHandle(forReadingFrom: url)
    defer { try? file.close() }
    return try file.read(upToCount: limit + 1) ?? Data()
  }

  private static func missing(_ code: Diagnostic.Code, patterns: [String], base: String) -> Diagnostic {
    let list = Suggestions.list(patterns.map { "\"\($0)\"" }, "or")
    let kind = code == .missingSchema ? "schema" : "operation"
    let fetched = patterns.count == 1 && !patterns[0].contains("*") ? patterns[0] : "schema.graphqls"
    return Diagnostic(
      code, "No \(kind) file matches \(list) in \"\(base)\".", at: .none,
      help: code != .missingSchema
        ? nil
        : "Add the server's schema, or fetch it: swift package apollo-codegen start https://…, or fetch-schema "
          + "--endpoint https://… --output "
          + "\(fetched.hasPrefix(base + "/") ? String(fetched.dropFirst(base.count + 1)) : fetched) (on a Mac, "
          + "swift package needs --allow-network-connections all).")
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
