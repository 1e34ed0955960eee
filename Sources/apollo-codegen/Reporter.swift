import ApolloCodegenLib
import Foundation
import GraphQLSyntax

/// Tells what a run did: lines on standard error for people, or one JSON object on standard output for programs.
struct Reporter {
  let command: String
  let diagnostics: InputOptions.DiagnosticsFormat
  let isJSON: Bool
  let isQuiet: Bool

  /// - Parameters:
  ///   - summary: For people, if all went well.
  ///   - failure: For people, after the number of errors.
  ///   - details: For programs.
  func report(
    _ found: [Diagnostic], sources: SourceMap, summary: @autoclosure () -> String, failure: String = "",
    details: @autoclosure () -> [String: Any] = [:]
  ) {
    if isJSON { return reportJSON(found, sources: sources, details: details()) }
    Console.show(found, sources: sources, format: diagnostics)
    guard !isQuiet else { return }
    let errors = found.count { $0.severity == .error }
    if errors > 0 {
      fail(Console.count(errors, "error") + failure)
    } else {
      succeed(summary())
    }
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
