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

  /// Reads a configuration, which people write: a comma before `}` or `]` is a warning, and so is a key that stands
  /// again in the same object.
  static func readWithTrailingCommas(_ source: Source) throws(DiagnosticsError) -> Parsed<JSONNode> {
    do throws(JSONSyntaxError) {
      let parsed = try JSONNode.parse(allowingTrailingCommas: source.utf8)
      let warnings = parsed.trailingCommas.map { comma in
        Diagnostic(
          .needlessComma, severity: .warning,
          "Nothing follows this comma. JSON has none there, and other tools refuse it.",
          at: SourceSpan(comma, in: source.id), help: "Remove it.")
      }
      let ignored = parsed.replacedMembers.map { member in
        Diagnostic(
          ineffective: member.name, because: "The same key stands again farther down, and the last one counts.",
          at: SourceSpan(member.nameRange, in: source.id))
      }
      return Parsed(parsed.node, diagnostics: (warnings + ignored).sorted { $0.span.start < $1.span.start })
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
