import ApolloAPI
import Fixture0007
import StyledTests
import Testing

@Suite("Schema configuration", .everyStyle) struct SchemaConfigurationTests {
  static let query = BooksQuery(isbn: "1", isbns: ["2"])
  static let data =
    #"{"book":{"__typename":"Book","isbn":"1","title":"A","shelf":null},"#
    + #""books":[{"__typename":"Book","isbn":"2","title":"B"}],"#
    + #""library":{"__typename":"Library","id":"L","fields":1,"schema":"s","hash":2},"#
    + #""item":{"__typename":"Library","id":"L","books":[]},"kinds":["A",null]}"#

  @Test("Roots and fragments know their schema")
  func schema() {
    #expect(BooksQuery.Data.schema is Fixture0007.SchemaMetadata.Type)
    #expect(Shelves.schema is Fixture0007.SchemaMetadata.Type)
    #expect(Fixture0007.SchemaMetadata.configuration is Fixture0007.SchemaConfiguration.Type)
  }

  @Test("Objects that may come are described, with their interfaces and key fields")
  func objects() {
    #expect(Fixture0007.SchemaMetadata.objectType(forTypename: "Book") == Objects.Book)
    #expect(Objects.Book.keyFields == ["isbn"] && Objects.Shelf.keyFields == nil)
    #expect(Objects.Shelf.implements(Interfaces.Node) && Interfaces.Node.keyFields == ["id"])
    #expect(Unions.Item.possibleTypes == [Objects.Book, Objects.Library])
    #expect(Fixture0007.SchemaMetadata.objectType(forTypename: "Newer") == nil)
  }

  @Test("An included field that is null is written as null where the variables are known, and otherwise left out")
  func conditionalNull() throws {
    let read = try read(Self.query, Self.data)
    var writer = __JSONWriter(variables: Self.query.variables)
    read.__write(to: &writer)
    #expect(writer.text == Self.data)
    var plain = __JSONWriter()
    read.__write(to: &plain)
    #expect(plain.text == Self.data.replacing(#","shelf":null"#, with: ""))
  }

  @Test("Names of the schema that differ in case only, or mean something to the client, have types of their own")
  func names() throws {
    let query = BooksQuery(isbn: "1", isbns: [], a: .x, b: .y)
    #expect(variables(query).contains(#""a":"X","b":"Y""#))
    #expect(try read(Self.query, Self.data).kinds == [.case(.a), nil])
    #expect(try read(Self.query, Self.data).library?.shelves.hash == 2)
  }
}
