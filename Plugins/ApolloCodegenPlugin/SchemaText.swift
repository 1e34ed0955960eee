import Foundation

/// What the plugin finds out about the text of a schema, before the generator runs.
///
/// The tests have a link to this file, because they cannot import a plugin.
enum SchemaText {
  /// Whether a text says which type queries start at: only a whole schema does, and `extend type Query` adds to one.
  static func hasQueryType(_ text: String) -> Bool {
    // What a description says is not a definition. (The parts are long, so that the matching needs little memory.)
    let block = #"(?:"""[^"\\]*(?:(?:\\(?:""")?|"(?!""))[^"\\]*)*""")"#
    let line = #"(?:"[^"\\\r\n]*(?:\\.[^"\\\r\n]*)*")"#, comment = #"#[^\r\n]*"#
    let texts = [block, line, comment].joined(separator: "|")
    let definitions = [texts, #"\bextend\s+\w+"#].reduce(text) {
      $0.replacingOccurrences(of: $1, with: "", options: .regularExpression)
    }
    // (A field or a type may be called "schema", and a directive "type".)
    let whole = #"(?<![@\w])type\s+Query\b|(?m:^|[})])\s*schema\s*[@{]"#
    return definitions.range(of: whole, options: .regularExpression) != nil
  }
}
