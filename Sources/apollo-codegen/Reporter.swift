import ApolloCodegenLib
import ArgumentParser
import ForeignText
import GraphQLJSON
import GraphQLSchema
import GraphQLSyntax

/// Tells what a run did: lines on standard error for people, or one JSON object on standard output for programs.
///
/// What is wrong with the configuration is shown to people when it is read. Programs get it with the rest.
struct Reporter {
  let command: String
  let diagnostics: InputOptions.DiagnosticsFormat
  let isJSON: Bool
  let isQuiet: Bool
  /// Whether warnings about the schema are shown, and not only counted.
  var isVerbose = false
  /// How many warnings about the schema are shown in any case.
  var shownSchemaWarnings = 0
  /// What shows all of them.
  var verboseOption = "--verbose"
  /// Whether the object for programs becomes a part of another one, and is not printed.
  var isPart = false
  /// What is wrong with the configuration, and its text.
  var configuration: (diagnostics: [Diagnostic], sources: SourceMap) = ([], SourceMap())
  /// Objects of runs that were a part of this one, by their names.
  var parts: JSONNode.Members = [:]

  /// Reports the diagnostics of a run, and whether it was successful.
  ///
  /// - Parameters:
  ///   - found: The diagnostics.
  ///   - sources: The texts that they are about.
  ///   - schema: The sources that the schema consists of. What is wrong there by the specification is summarized.
  ///   - summary: A line for people if there are no errors.
  ///   - failure: A text for people after the number of errors.
  ///   - details: Members of the JSON object for programs.
  /// - Returns: The JSON object for programs; null where it is people who are told.
  @discardableResult
  func report(
    _ found: [Diagnostic], sources: SourceMap, schema: Set<Source.ID> = [], summary: @autoclosure () -> String,
    failure: String = "",
    details: @autoclosure () -> JSONNode.Members = [:]
  ) -> JSONNode {
    if isJSON {
      let object = object(found, sources: sources, details: details())
      if !isPart { print(object.indentedText) }
      return object
    }
    show(found, sources, schema: schema)
    guard !isQuiet else { return .null }
    let errors = found.count { $0.severity == .error }
    if errors > 0 {
      fail(Console.count(errors, "error") + failure)
    } else {
      succeed(summary())
    }
    return .null
  }

  /// Reports what is wrong with the configuration.
  ///
  /// - Parameters:
  ///   - found: The diagnostics.
  ///   - source: The text of the configuration.
  /// - Throws: The end of the run if there is an error.
  mutating func reportConfiguration(_ found: [Diagnostic], in source: Source) throws {
    configuration = (found, SourceMap([source]))
    if !isJSON { Console.show(found, sources: configuration.sources, format: diagnostics) }
    if found.hasErrors { try failForPrograms() }
  }

  /// Ends a run for which there is no configuration, or not what it needs of one.
  mutating func failWithoutConfiguration(_ message: String) throws -> Never {
    configuration.diagnostics.append(Diagnostic(.invalidConfiguration, message, at: .none))
    if !isJSON { Console.error(message) }
    try failForPrograms()
  }

  /// Ends a run that people have been told of. Programs get an object without results.
  func failForPrograms() throws -> Never {
    if isJSON { report([], sources: SourceMap(), summary: "") }
    throw ExitCode.failure
  }

  /// Shows warnings about the schema as one line, because people who use a schema can rarely change it. Those of the
  /// generator's own rules are about directives that the app wrote, and are shown; what they say of a server's directives
  /// are notes. Programs that read diagnostics are given all of them.
  private func show(_ found: [Diagnostic], _ sources: SourceMap, schema: Set<Source.ID>) {
    let hasErrors = found.hasErrors
    var shown: [Diagnostic] = [], hidden: [Diagnostic] = [], warnings = 0
    for finding in found {
      let isOthers =
        finding.severity < .error && schema.contains(finding.span.source)
        && (finding.severity == .note || !Diagnostic.Code.generator.contains(finding.code))
        // What was left out of the schema may be why an operation has an error.
        && !(finding.code == .invalidIntrospection && hasErrors)
      if isOthers { warnings += 1 }
      let isHidden = isOthers && warnings > shownSchemaWarnings && !isVerbose && diagnostics != .json
      if isHidden { hidden.append(finding) } else { shown.append(finding) }
    }
    Console.show(shown, sources: sources, format: diagnostics)
    guard !hidden.isEmpty else { return }
    let files = Set(hidden.compactMap { sources[$0.span.source]?.name }).sorted()
    let isOne = hidden.count == 1
    let harmless = isOne ? "It does no harm to this run; " : "They do no harm to this run; "
    Console.show(
      [
        Diagnostic(
          .schemaWarnings, severity: .note,
          "\(Console.count(hidden.count, shownSchemaWarnings == 0 ? "warning" : "more warning")) about the schema in "
            + "\(Suggestions.list(files, "and")). \(hasErrors ? "" : harmless)"
            + "\(verboseOption) shows \(isOne ? "it" : "them").", at: .none)
      ], sources: sources, format: diagnostics)
  }

  func succeed(_ text: String) {
    if !isQuiet, !isJSON, !text.isEmpty { Console.write(Console.paint("✓", "32;1") + " \(text.shownOnOneLine)\n") }
  }

  func fail(_ text: String) {
    if !isQuiet, !isJSON { Console.write(Console.paint("✗", "31;1") + " \(text.shownOnOneLine)\n") }
  }

  private func object(_ found: [Diagnostic], sources: SourceMap, details: JSONNode.Members) -> JSONNode {
    var renderer = DiagnosticRenderer(.jsonLines, sources: sources)
    var configured = DiagnosticRenderer(.jsonLines, sources: configuration.sources)
    let isOK =
      !found.hasErrors && !configuration.diagnostics.hasErrors && details["stale"]?.array?.isEmpty != false
      && parts.allSatisfy { $0.value["ok"] == .boolean(true) }
    var object: JSONNode.Members = [
      "command": .string(command), "ok": .boolean(isOK),
      "diagnostics": .array(
        configuration.diagnostics.map { configured.json($0) } + found.map { renderer.json($0) }),
    ]
    for member in [details, parts].joined() { object[member.name] = member.value }
    return .object(object)
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
