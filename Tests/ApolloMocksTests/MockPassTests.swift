import Apollo
import Testing

@testable import ApolloMocks

/// A mock is written again and again until its model has all objects that it selects.
@Suite("How often a mock is written") struct MockPassTests {
  enum Person: MockObject {
    static let typename = "Person"
    static let mockFields = MockFields()
    struct MockFields: MockFieldList {
      let name = MockField<String>("name", default: "")
      var all: [AnyMockField] { [name.erased] }
    }
  }

  enum Counted: MockObject {
    static let typename = "Counted"
    static let writes = Counter()
    static let mockFields = MockFields()
    struct MockFields: MockFieldList {
      let name = MockField<String>("name", default: Counted.name())
      let first = MockField<Mock<Person>>("first", default: Mock<Person>())
      let author = MockField<Mock<Person>>("author", default: Mock<Person>())
      var all: [AnyMockField] { [name.erased, first.erased, author.erased] }
    }

    static func name() -> String {
      writes.add()
      return ""
    }
  }

  enum Book: MockObject {
    static let typename = "Book"
    static let mockFields = MockFields()
    struct MockFields: MockFieldList {
      let first = MockField<Mock<Person>>("first", default: Mock<Person>())
      let author = MockField<Mock<Person>>("author")
      var all: [AnyMockField] { [first.erased, author.erased] }
    }
  }

  struct Named: SelectionSet {
    var name: String
    static let __fields = __FieldTable(version: 1, "name")
    init(__reading object: inout __ObjectReader) throws(__ReadError) { name = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, name) }
  }

  struct CountedPair: SelectionSet {
    var first: Named
    var author: Named
    static let __fields = __FieldTable(version: 1, "first author")
    init(__reading object: inout __ObjectReader) throws(__ReadError) {
      first = try object.read(0)
      author = try object.read(1)
    }
    func __writeFields(to writer: inout __JSONWriter) {
      writer.write(0, first)
      writer.write(1, author)
    }
  }

  struct Pair: SelectionSet {
    var first: Named
    var author: Named
    static let __fields = __FieldTable(version: 1, "first author")
    init(__reading object: inout __ObjectReader) throws(__ReadError) {
      first = try object.read(0)
      author = try object.read(1)
    }
    func __writeFields(to writer: inout __JSONWriter) {
      writer.write(0, first)
      writer.write(1, author)
    }
  }

  @Test("What a model needs is known when a second mock is read")
  func known() throws {
    #expect(try CountedPair.from(Mock<Counted>()).author.name == "")
    let first = Counted.writes.value
    #expect(try CountedPair.from(Mock<Counted>()).first.name == "")
    #expect(first == 3 && Counted.writes.value == 4)
  }

  @Test("A response goes on behind an error that nothing catches")
  func errors() throws {
    let book = Mock<Book>(), author = Mock<Person>()
    author.name = "Ann"
    book.author = author
    for _ in 0..<2 {
      book.setError(GraphQLError("broken"), for: \.first)
      #expect(throws: GraphQLError.self) { try Pair.from(book) }
      let text = String(decoding: try book.response(for: Pair.self, variables: .none), as: UTF8.self)
      #expect(text.contains(#""author":{"__typename":"Person","name":"Ann"}"#), "\(text)")
      #expect(text.contains(#""first":null"#) && text.contains("broken"), "\(text)")
      book.first = Mock<Person>()
      #expect(try Pair.from(book).author.name == "Ann")
    }
  }
}
