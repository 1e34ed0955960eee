/// Turns syntax trees into text.
public enum Printer {
  /// The canonical text of a document, the same as the reference implementation prints.
  public static func print(_ document: Document) -> String {
    var writer = DocumentWriter()
    writer.write(document)
    return writer.output
  }

  /// The canonical text of one definition.
  public static func print(_ definition: Definition) -> String {
    var writer = DocumentWriter()
    writer.write(definition)
    return writer.output
  }

  /// The canonical text of a selection set, braces included.
  public static func print(_ selectionSet: SelectionSet) -> String {
    var writer = DocumentWriter()
    writer.write(selectionSet)
    return writer.output
  }

  /// The canonical text of a value.
  public static func print(_ value: Value) -> String { ValuePrinter.print(value) }

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
