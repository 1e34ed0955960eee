import ApolloCodegenLib
import ForeignText
import GraphQLJSON
import GraphQLSchema
import GraphQLSyntax

/// Tells what a run did: lines on standard error for people, or one JSON object on standard output for programs.
struct Reporter {
  let command: String
  let diagnostics: InputOptions.DiagnosticsFormat
  let isJSON: Bool
  let isQuiet: Bool
  /// Whether warnings about the schema are shown, and not only counted.
  var isVerbose = false

  /// Reports the diagnostics of a run, and whether it was successful.
  ///
  /// - Parameters:
  ///   - found: The diagnostics.
  ///   - sources: The texts that they are about.
  ///   - schema: The sources that the schema consists of, whose warnings are summarized.
  ///   - summary: A line for people if there are no errors.
  ///   - failure: A text for people after the number of errors.
  ///   - details: Members of the JSON object for programs.
  func report(
    _ found: [Diagnostic], sources: SourceMap, schema: Set<Source.ID> = [], summary: @autoclosure () -> String,
    failure: String = "",
    details: @autoclosure () -> JSONNode.Members = [:]
  ) {
    if isJSON { return reportJSON(found, sources: sources, details: details()) }
    show(found, sources, schema: schema)
    guard !isQuiet else { return }
    let errors = found.count { $0.severity == .error }
    if errors > 0 {
      fail(Console.count(errors, "error") + failure)
    } else {
      succeed(summary())
    }
  }

  /// Shows warnings about the schema as one line, because people who use a schema can rarely change it. Programs that
  /// read diagnostics are given all of them.
  private func show(_ found: [Diagnostic], _ sources: SourceMap, schema: Set<Source.ID>) {
    let isOthers = { (finding: Diagnostic) in
      finding.severity < .error && schema.contains(finding.span.source)
        // What was left out of the schema may be why an operation has an error.
        && !(finding.code == .invalidIntrospection && found.hasErrors)
    }
    let hidden = isVerbose || diagnostics == .json ? [] : found.filter(isOthers)
    Console.show(found.filter { !hidden.contains($0) }, sources: sources, format: diagnostics)
    guard !hidden.isEmpty else { return }
    let files = Set(hidden.compactMap { sources[$0.span.source]?.name }).sorted()
    Console.show(
      [
        Diagnostic(
          .schemaWarnings, severity: .note,
          "\(Console.count(hidden.count, "warning")) about the schema in \(Suggestions.list(files, "and")). "
            + "They do no harm to this run; --verbose shows them.", at: .none)
      ], sources: sources, format: diagnostics)
  }

  func succeed(_ text: String) {
    if !isQuiet, !isJSON, !text.isEmpty { Console.write(Console.paint("✓", "32;1") + " \(text.shownOnOneLine)\n") }
  }

  func fail(_ text: String) {
    if !isQuiet, !isJSON { Console.write(Console.paint("✗", "31;1") + " \(text.shownOnOneLine)\n") }
  }

  private func reportJSON(_ found: [Diagnostic], sources: SourceMap, details: JSONNode.Members) {
    var renderer = DiagnosticRenderer(.jsonLines, sources: sources)
    var object: JSONNode.Members = [
      "command": .string(command),
      "ok": .boolean(!found.hasErrors && details["stale"]?.array?.isEmpty != false),
      "diagnostics": .array(found.map { renderer.json($0) }),
    ]
    for detail in details { object[detail.name] = detail.value }
    print(JSONNode.object(object).indentedText)
  }
}

extension ApolloCodegen.Report {
  /// The members of the JSON object for programs.
  var details: JSONNode.Members {
    let paths = { (paths: [String]) in JSONNode.array(paths.map { .string($0) }) }
    return [
      "operations": .number(operationCount), "fragments": .number(fragmentCount), "files": paths(files),
      "changed": paths(changedFiles), "removed": paths(removedFiles), "stale": .array(staleFiles.map(\.details)),
      "stages": .array(
        stages.map { stage in
          .object(["stage": .string(stage.stage), "milliseconds": .number(stage.duration / .milliseconds(1))])
        }),
    ]
  }
}

extension StaleFile {
  fileprivate var details: JSONNode {
    switch reason {
    case .missing: .object(["path": .string(path), "reason": .string("missing")])
    case .obsolete: .object(["path": .string(path), "reason": .string("obsolete")])
    case .different(let added, let removed):
      .object([
        "path": .string(path), "reason": .string("different"), "added": .number(added), "removed": .number(removed),
      ])
    }
  }

  /// A line for people, such as `+3 −1 API/Hero.graphql.swift`.
  var line: String {
    switch reason {
    case .missing: Console.paint("new", "32") + "       " + shownPath
    case .obsolete: Console.paint("obsolete", "31") + "  " + shownPath
    case .different(let added, let removed):
      Console.paint("+\(added)", "32") + " " + Console.paint("−\(removed)", "31") + "  " + shownPath
    }
  }

  private var shownPath: String { path.relativeToCurrentFolder.shownOnOneLine }
}
