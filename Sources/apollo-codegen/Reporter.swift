import ApolloCodegenLib
import Foundation
import GraphQLSyntax

/// Tells what a run did: lines on standard error for people, or one JSON object on standard output for programs.
struct Reporter {
  let command: String
  let diagnostics: InputOptions.DiagnosticsFormat
  let isJSON: Bool
  let isQuiet: Bool
  /// Warnings about the schema are shown, and not only counted.
  var isVerbose = false

  /// - Parameters:
  ///   - schema: The texts of the schema, of which others are the authors.
  ///   - summary: For people, if all went well.
  ///   - failure: For people, after the number of errors.
  ///   - details: For programs.
  func report(
    _ found: [Diagnostic], sources: SourceMap, schema: Set<Source.ID> = [], summary: @autoclosure () -> String,
    failure: String = "",
    details: @autoclosure () -> [String: Any] = [:]
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

  /// Warnings about the schema are one line: people who use it can rarely change it. Programs that read diagnostics get all.
  private func show(_ found: [Diagnostic], _ sources: SourceMap, schema: Set<Source.ID>) {
    let isOthers = { (finding: Diagnostic) in finding.severity < .error && schema.contains(finding.span.source) }
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
    if !isQuiet, !isJSON, !text.isEmpty { Console.write(Console.paint("✓", "32;1") + " \(text)\n") }
  }

  func fail(_ text: String) {
    if !isQuiet, !isJSON { Console.write(Console.paint("✗", "31;1") + " \(text)\n") }
  }

  private func reportJSON(_ found: [Diagnostic], sources: SourceMap, details: [String: Any]) {
    var renderer = DiagnosticRenderer(.jsonLines, sources: sources)
    var object = details
    object["command"] = command
    object["ok"] = !found.hasErrors && (details["stale"] as? [Any])?.isEmpty != false
    object["diagnostics"] = found.compactMap {
      try? JSONSerialization.jsonObject(with: Data(renderer.render($0).utf8))
    }
    let options: JSONSerialization.WritingOptions = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let data = (try? JSONSerialization.data(withJSONObject: object, options: options)) ?? Data()
    print(String(decoding: data, as: UTF8.self))
  }
}

extension ApolloCodegen.Report {
  /// For programs.
  var details: [String: Any] {
    [
      "operations": operationCount, "fragments": fragmentCount, "files": files, "changed": changedFiles,
      "removed": removedFiles, "stale": staleFiles.map(\.details),
      "stages": stages.map { ["stage": $0.stage, "milliseconds": $0.duration / .milliseconds(1)] as [String: Any] },
    ]
  }
}

extension StaleFile {
  fileprivate var details: [String: Any] {
    switch reason {
    case .missing: ["path": path, "reason": "missing"]
    case .obsolete: ["path": path, "reason": "obsolete"]
    case .different(let added, let removed):
      ["path": path, "reason": "different", "added": added, "removed": removed]
    }
  }

  /// For people, such as `+3 −1 API/Hero.graphql.swift`.
  var line: String {
    switch reason {
    case .missing: Console.paint("new", "32") + "       " + Console.shortened(path)
    case .obsolete: Console.paint("obsolete", "31") + "  " + Console.shortened(path)
    case .different(let added, let removed):
      Console.paint("+\(added)", "32") + " " + Console.paint("−\(removed)", "31") + "  " + Console.shortened(path)
    }
  }
}
