import ApolloDirectives
public import Foundation
import GraphQLJSON
import GraphQLSchema
public import GraphQLSyntax
import GraphQLValidation

/// Writes the files that an app begins with, beside a schema that was fetched: `extensions.graphqls`, a first query, and
/// what editors need to complete operations.
public struct StartingFiles {
  /// A file, and what became of it.
  public struct File: Sendable {
    /// The absolute path.
    public var path: String
    /// What is in it, in a few words.
    public var summary: String
    /// Whether it was written; false if a file was there, which is kept.
    public var isWritten: Bool
  }

  /// The folder of the package or the project.
  public let root: URL
  /// The folder of the target, which has the schema.
  public let folder: URL

  /// - Parameters:
  ///   - root: The folder of the package or the project.
  ///   - folder: The folder of the target, which has the schema.
  public init(root: URL, folder: URL) {
    self.root = root.standardizedFileURL
    self.folder = folder.standardizedFileURL
  }

  /// The result of a run.
  public struct Report: Sendable {
    /// Why there are no files.
    public var diagnostics: [Diagnostic] = []
    /// The schema that was read.
    public var sources = SourceMap([])
    /// The files in the order in which they are of use.
    public var files: [File] = []
    /// The name of a query for which a type is generated; nil if the target has queries of its own.
    public var query: String?
  }

  /// Writes the files that are missing. Nothing that is there is changed.
  ///
  /// - Parameter schemaFile: The path of the schema.
  /// - Returns: What was written. It has diagnostics if nothing was.
  public func write(forSchemaAt schemaFile: String) -> Report {
    var report = Report()
    let data = FileManager.default.contents(atPath: schemaFile) ?? Data()
    let source = Source(utf8: data, name: schemaFile.relativeToCurrentFolder)
    let parsed = SchemaLoader.load([source])
    guard let schema = parsed.value?.value else {
      report.diagnostics = parsed.diagnostics
      report.sources = SourceMap([source])
      return report
    }
    let extensions = ProposedExtensions(schema), query = FirstQuery(schema)
    var files = [
      (folder.appendingPathComponent("extensions.graphqls").path, extensions.text, Self.summary(of: extensions))
    ]
    if ApolloCodegen.files(matching: ["**/*.graphql"], in: folder).isEmpty {
      files.append(
        (folder.appendingPathComponent("\(query.name).graphql").path, query.text, "a first query, \"\(query.name)\""))
      report.query = query.name
    }
    files += editorFiles(schema, of: source)
    do throws(DiagnosticsError) {
      let outputs = files.map { path, text, _ in OutputFile(configured: path, text: text, kind: .editable) }
      let missing = outputs.filter { !FileManager.default.fileExists(atPath: $0.path) }
      let written = Set(try FileWriter(root: root.path).write(missing))
      report.files = files.map { File(path: $0.0, summary: $0.2, isWritten: written.contains($0.0)) }
    } catch {
      report.diagnostics = error.diagnostics
    }
    return report
  }

  private static func summary(of extensions: ProposedExtensions) -> String {
    let types = extensions.keyedTypes, shown = types.prefix(3).joined(separator: ", ")
    var text =
      types.isEmpty
      ? "for key fields" : "key fields of \(shown)\(types.count > 3 ? " and \(types.count - 3) more" : "")"
    if !extensions.scalars.isEmpty {
      let count = extensions.scalars.count
      text += "; types for \(count == 1 ? "a scalar" : "\(count) scalars"), as comments"
    }
    return text
  }

  /// The relative path from one folder to another, links followed, with a `/` at its end; empty if they are one.
  private static func path(from base: URL, to folder: URL) -> String {
    let base = Glob.components(ResolvedPath(base.path).path), folder = Glob.components(ResolvedPath(folder.path).path)
    let shared = zip(base, folder).prefix { $0 == $1 }.count
    return (base.dropFirst(shared).map { _ in ".." } + folder.dropFirst(shared)).map { $0 + "/" }.joined()
  }

  /// The configuration of GraphQL language servers (https://the-guild.dev/graphql/config), and the directives that the
  /// generator knows without a definition.
  private func editorFiles(_ schema: Schema, of source: Source) -> [(String, String, String)] {
    let place = Self.path(from: root, to: folder), directives = ".graphql-directives.gqls"
    // (YAML takes texts as JSON writes them.)
    let schemas = JSONNode.string(place + "*.graphqls").text, documents = JSONNode.string(place + "**/*.graphql").text
    let configuration = """
      # For editors: language servers for GraphQL complete and check operations by this file.
      schema:
        - \(schemas)
        - "\(directives)"
      documents: \(documents)

      """
    return [
      (root.appendingPathComponent(".graphqlrc").path, configuration, "for editors: they complete operations by it"),
      (
        root.appendingPathComponent(directives).path, ClientDefinitions.textForEditors(schema, of: source),
        "for editors: the directives of the generator"
      ),
    ]
  }
}
