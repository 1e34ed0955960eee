import GraphQLJSON
import GraphQLSyntax

/// Reads sources that are JSON. What is wrong with them is a diagnostic at its place.
enum JSONFile {
  static func read(_ source: Source) throws(DiagnosticsError) -> JSONNode {
    do throws(JSONSyntaxError) {
      return try JSONNode(parsing: source.utf8)
    } catch {
      throw diagnostics(error, in: source)
    }
  }

  /// Reads a file that people write: a comma before `}` or `]` is a warning.
  static func readWithTrailingCommas(_ source: Source) throws(DiagnosticsError) -> Parsed<JSONNode> {
    do throws(JSONSyntaxError) {
      let parsed = try JSONNode.parse(allowingTrailingCommas: source.utf8)
      let warnings = parsed.trailingCommas.map { comma in
        Diagnostic(
          .needlessComma, severity: .warning,
          "Nothing follows this comma. JSON has none there, and other tools refuse it.",
          at: SourceSpan(comma, in: source.id), help: "Remove it.")
      }
      return Parsed(parsed.node, diagnostics: warnings)
    } catch {
      throw diagnostics(error, in: source)
    }
  }

  private static func diagnostics(_ error: JSONSyntaxError, in source: Source) -> DiagnosticsError {
    let end = min(error.offset + 1, source.count)
    return DiagnosticsError([
      Diagnostic(.invalidJSON, error.message, at: SourceSpan(error.offset..<end, in: source.id))
    ])
  }
}
