@testable import GraphQLSyntax
import Testing

@Suite("Names of a document that was parsed")
struct ParsedDocumentTests {
  private static let text = "query Q { a } type T { b: Int }"

  @Test("Nothing is wrong with them until the document is changed, alone or joined with another")
  func changed() throws {
    let parsed = Parser.parse(Self.text).value, name = Name("no name")
    for document in [parsed, Document(concatenating: [parsed, Parser.parse("{ c }").value])] {
      #expect(document.isParsed && document.invalidNames.isEmpty)
      var changed = document
      guard case .operation(var operation) = changed.definitions[0] else { throw SyntaxError() }
      operation.name = name
      changed.definitions[0] = .operation(operation)
      #expect(!changed.isParsed && changed.invalidNames.map(\.code) == [.invalidName])
      #expect(Document(concatenating: [parsed, changed]).invalidNames.map(\.code) == [.invalidName])
    }
  }

  @Test("A document that code builds of parsed definitions is looked at, and equal to the parsed one")
  func built() {
    let parsed = Parser.parse(Self.text).value, built = Document(definitions: parsed.definitions)
    #expect(!built.isParsed && built == parsed && built.invalidNames.isEmpty)
  }
}
