import ApolloCodegenLib
import ArgumentParser
import ForeignText
import Foundation
import GraphQLJSON
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation

struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema", abstract: "Compares and prints schemas.",
    subcommands: [SchemaDiffCommand.self, SchemaPrintCommand.self])

  /// Makes a schema of the files that paths or patterns name. Errors are printed.
  static func load(_ patterns: [String], showsWarnings: Bool = false) throws -> (
    schema: Validated<Schema>, sources: [Source]
  ) {
    let current = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
    let wanted = patterns.filter { !$0.hasPrefix("!") }, exclusions = patterns.filter { $0.hasPrefix("!") }
    let found = wanted.map { ApolloCodegen.files(matching: [$0] + exclusions, in: current) }
    let missing = wanted.isEmpty ? patterns : zip(wanted, found).filter { $0.1.isEmpty }.map { $0.0 }
    guard missing.isEmpty else {
      Console.error("There is no file \(missing.map { "\"\($0)\"" }.joined(separator: ", ")).")
      throw ExitCode.failure
    }
    var known: Set<[UInt8]> = []
    let files = found.flatMap(\.self).filter { known.insert(Array($0.utf8)).inserted }
    let sources: [Source]
    do {
      sources = try files.map {
        Source(utf8: try Data(contentsOf: URL(fileURLWithPath: $0)), name: $0.relativeToCurrentFolder)
      }
    } catch {
      Console.error("A schema file cannot be read: \(error.localizedDescription)")
      throw ExitCode.failure
    }
    let parsed = Pipeline.schema(from: sources)
    let shown = parsed.diagnostics.filter { showsWarnings || $0.severity == .error }
    Console.show(shown, sources: SourceMap(sources), format: .automatic)
    guard let schema = parsed.value else { throw ExitCode.failure }
    return (schema, sources)
  }
}

struct SchemaDiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff", abstract: "Lists what changed from one schema to another, and what that breaks.",
    discussion: "Ends with status 1 if a change breaks clients, or is as bad as --fail-on says.")

  @ArgumentParser.Argument(help: "The schema before: a file or a pattern, SDL or introspection JSON.")
  var old: String

  @ArgumentParser.Argument(help: "The schema after.")
  var new: String

  @Option(name: .long, help: "breaking, dangerous, safe, or never.")
  var failOn: Threshold = .breaking

  @Option(name: .long, help: "text or json.")
  var format: InputOptions.OutputFormat = .text

  enum Threshold: String, ExpressibleByArgument, CaseIterable {
    case breaking, dangerous, safe, never
  }

  func run() throws {
    let (old, oldSources) = try SchemaCommand.load([old]), (new, newSources) = try SchemaCommand.load([new])
    let changes = Schema.compare(
      Pipeline.withoutClientDefinitions(old, of: oldSources), Pipeline.withoutClientDefinitions(new, of: newSources))
    if format == .json { showJSON(changes) } else { showText(changes) }
    let limit = SchemaChange.Severity(rawValue: failOn.rawValue)
    if let limit, changes.contains(where: { $0.severity >= limit }) { throw ExitCode.failure }
  }

  private func showText(_ changes: [SchemaChange]) {
    if changes.isEmpty { return print("The schemas are the same.") }
    for (severity, color) in [(SchemaChange.Severity.breaking, "31;1"), (.dangerous, "33;1"), (.safe, "32;1")] {
      let found = changes.filter { $0.severity == severity }
      guard !found.isEmpty else { continue }
      let title = "\(Console.count(found.count, "\(severity.rawValue) change")):"
      print(isatty(STDOUT_FILENO) == 1 ? Console.paint(title, color) : title)
      for change in found { print("  \(change.message.shownOnOneLine)") }
    }
  }

  private func showJSON(_ changes: [SchemaChange]) {
    let list = changes.map { change in
      JSONNode.object([
        "severity": .string(change.severity.rawValue), "kind": .string(change.kind.rawValue),
        "coordinate": .string(change.coordinate), "message": .string(change.message),
      ])
    }
    print(JSONNode.object(["changes": .array(list)]).indentedText)
  }
}

struct SchemaPrintCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "print", abstract: "Prints a schema in the schema definition language, on standard output.",
    discussion: "Extensions are merged into what they extend. The result of introspection becomes SDL.")

  @ArgumentParser.Argument(help: "Files or patterns: SDL, or the JSON result of introspection. '!' excludes.")
  var files: [String]

  @Flag(name: .long, help: "Sort types, fields, arguments and values by name.")
  var sorted = false

  func run() throws {
    let (schema, sources) = try SchemaCommand.load(files, showsWarnings: true)
    let text = Pipeline.schemaText(schema, of: sources, isSorted: sorted)
    // A description may have what commands a terminal; a file gets it as it is.
    let isTerminal = isatty(STDOUT_FILENO) == 1
    print(isTerminal ? text.shownLines.joined(separator: "\n") : text, terminator: "")
  }
}
