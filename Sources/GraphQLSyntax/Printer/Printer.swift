/// Turns syntax trees into text.
public enum Printer {
  /// How objects and lists are written. Releases of the reference implementation differ in that.
  public enum Style: Sendable {
    /// `{ a: 1 }`, and one item a line where a line would be longer than 80 characters. As since release 17.
    case spaced
    /// `{a: 1}`, on one line always. As up to release 16: for texts whose hash must not change.
    case dense
  }

  /// The canonical text of a document, the same as the reference implementation prints.
  ///
  /// - Parameter isAiry: Puts a blank line before each member that has a description, as schemas are printed.
  public static func print(_ document: Document, style: Style = .spaced, isAiry: Bool = false) -> String {
    var writer = DocumentWriter(style, isAiry: isAiry)
    writer.write(document)
    return writer.output
  }

  /// The canonical text of one definition.
  public static func print(_ definition: Definition, style: Style = .spaced) -> String {
    var writer = DocumentWriter(style)
    writer.write(definition)
    return writer.output
  }

  /// The canonical text of a selection set, braces included.
  public static func print(_ selectionSet: SelectionSet, style: Style = .spaced) -> String {
    var writer = DocumentWriter(style)
    writer.write(selectionSet)
    return writer.output
  }

  /// The canonical text of a value.
  public static func print(_ value: Value, style: Style = .spaced) -> String {
    ValuePrinter(style: style).print(value)
  }

  /// The text of a type reference.
  public static func print(_ type: TypeReference) -> String { type.description }

  /// A string as it is written between quotes.
  public static func quote(_ text: String) -> String { QuotedString.print(text) }

  /// The shortest text that means the same as a document: without optional spaces, commas and comments.
  public static func printMinified(_ document: Document) -> String {
    Minifier.strip(Source(print(document))).value
  }

  /// The text of a source without its ignored characters. The value is empty when it has a lexical error.
  public static func stripIgnoredCharacters(_ source: Source) -> Parsed<String> { Minifier.strip(source) }
}
