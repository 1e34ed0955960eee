/// Writes syntax trees as text.
public enum Printer {
  /// How objects and lists are written. Releases of the reference implementation (graphql-js) differ in it.
  public enum Style: Sendable {
    /// As in release 17 and later: `{ a: 1 }`, and one item on each line if the line would be longer than 80
    /// characters.
    case spaced
    /// As in releases up to 16: `{a: 1}`, always on one line. It is for texts whose hash must not change.
    case dense
  }

  /// Writes the canonical text of a document, which is what the reference implementation prints.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - style: How objects and lists are written. The default is `spaced`.
  ///   - isAiry: Whether there is a blank line before each member with a description, as schemas are printed. The
  ///     default is false.
  /// - Returns: The text.
  public static func print(_ document: Document, style: Style = .spaced, isAiry: Bool = false) -> String {
    var writer = DocumentWriter(style, isAiry: isAiry)
    writer.write(document)
    return writer.output
  }

  /// Writes the canonical text of one definition.
  public static func print(_ definition: Definition, style: Style = .spaced) -> String {
    var writer = DocumentWriter(style)
    writer.write(definition)
    return writer.output
  }

  /// Writes the canonical text of a selection set, including the braces.
  public static func print(_ selectionSet: SelectionSet, style: Style = .spaced) -> String {
    var writer = DocumentWriter(style)
    writer.write(selectionSet)
    return writer.output
  }

  /// Writes the canonical text of a value.
  public static func print(_ value: Value, style: Style = .spaced) -> String {
    ValuePrinter(style: style).print(value)
  }

  /// Writes a type reference.
  public static func print(_ type: TypeReference) -> String { type.description }

  /// Writes a string between quotes, with escapes.
  public static func quote(_ text: String) -> String { QuotedString.print(text) }

  /// Writes the shortest text with the meaning of a document: without optional spaces, commas and comments.
  public static func printMinified(_ document: Document) -> String {
    Minifier.strip(Source(print(document))).value
  }

  /// The text of a source without its ignored characters. It is empty if the source has a lexical error.
  public static func stripIgnoredCharacters(_ source: Source) -> Parsed<String> { Minifier.strip(source) }
}
