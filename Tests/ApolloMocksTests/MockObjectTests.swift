import Apollo
import ApolloMocks
import Testing

@Suite("Mocks of objects") struct MockObjectTests {
  enum Library: MockObject {
    static let typename = "Query"
    static let mockFields = MockFields()
    struct MockFields: MockFieldList {
      let book = MockField<Mock<Book>>("book")
      var all: [AnyMockField] { [book.erased] }
    }
  }

  /// One operation asks for `title: name`, and another one for `title`, which is a number.
  enum Book: MockObject {
    static let typename = "Book"
    static let mockFields = MockFields()
    struct MockFields: MockFieldList {
      let name = MockField<String>("name", responseKeys: ["title"])
      let title = MockField<Int>("title")
      let sequels = MockField<[Mock<Book>]>("sequels", default: [])
      var all: [AnyMockField] { [name.erased, title.erased, sequels.erased] }
    }
  }

  struct Named: SelectionSet {
    var book: Item
    static let __fields = __FieldTable(version: 1, "book")
    init(__reading object: inout __ObjectReader) throws(__ReadError) { book = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, book) }

    struct Item: SelectionSet {
      var title: String
      var sequels: [Sequel]
      static let __fields = __FieldTable(version: 1, "title:name sequels(first:1)")
      init(__reading object: inout __ObjectReader) throws(__ReadError) {
        title = try object.read(0)
        sequels = try object.read(1)
      }
      func __writeFields(to writer: inout __JSONWriter) {
        writer.write(0, title)
        writer.write(1, sequels)
      }
    }
  }

  struct Sequel: SelectionSet {
    var title: Int
    var sequels: [Titled]
    static let __fields = __FieldTable(version: 1, "title sequels")
    init(__reading object: inout __ObjectReader) throws(__ReadError) {
      title = try object.read(0)
      sequels = try object.read(1)
    }
    func __writeFields(to writer: inout __JSONWriter) {
      writer.write(0, title)
      writer.write(1, sequels)
    }
  }

  struct Titled: SelectionSet {
    var title: Int
    var sequels: [Leaf]
    static let __fields = __FieldTable(version: 1, "title sequels")
    init(__reading object: inout __ObjectReader) throws(__ReadError) {
      title = try object.read(0)
      sequels = try object.read(1)
    }
    func __writeFields(to writer: inout __JSONWriter) {
      writer.write(0, title)
      writer.write(1, sequels)
    }
  }

  struct Leaf: SelectionSet {
    var name: String
    static let __fields = __FieldTable(version: 1, "title:name")
    init(__reading object: inout __ObjectReader) throws(__ReadError) { name = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, name) }
  }

  struct NamedQuery: GraphQLQuery {
    static let operationName = "Named"
    static let operationDocument = OperationDocument("query Named { book { title: name sequels { title } } }")
    typealias Data = Named
  }

  func library() -> Mock<Library> {
    let first = Mock<Book>(), second = Mock<Book>(), library = Mock<Library>()
    first.name = "one"
    first.title = 1
    first.sequels = [second, first]
    second.name = "two"
    second.title = 2
    second.sequels = [first]
    library.book = first
    return library
  }

  @Test("Of two fields with one name in responses, a model has the one that its operation asks for")
  func contested() async throws {
    let data = try Named.from(library())
    #expect(data.book.title == "one" && data.book.sequels.map(\.title) == [2, 1])
    let transport = MockNetworkTransport()
    transport.expect(NamedQuery.self).respond(mock: library())
    let client = ApolloClient(networkTransport: transport)
    #expect(try await client.fetch(query: NamedQuery()).data?.book.title == "one")
    #expect(try await client.store.load(NamedQuery()).book.sequels.first?.sequels.first?.title == 1)
  }

  /// Takes a number for an object.
  struct Mistyped: SelectionSet {
    var book: Holder
    static let __fields = __FieldTable(version: 1, "book")
    init(__reading object: inout __ObjectReader) throws(__ReadError) { book = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, book) }

    struct Holder: SelectionSet {
      var title: Leaf
      static let __fields = __FieldTable(version: 1, "title")
      init(__reading object: inout __ObjectReader) throws(__ReadError) { title = try object.read(0) }
      func __writeFields(to writer: inout __JSONWriter) { writer.write(0, title) }
    }
  }

  @Test("Mocks that all contain each other are written as deep as a model selects, and no deeper")
  func groups() throws {
    let books = (1...8).map { number in
      let book = Mock<Book>()
      (book.name, book.title) = ("\(number)", number)
      return book
    }
    for book in books { book.sequels = books.filter { $0 !== book } }
    let library = Mock<Library>()
    library.book = books[0]
    let data = try Named.from(library)
    #expect(data.book.sequels.map(\.title) == Array(2...8))
    #expect(data.book.sequels[6].sequels[6].sequels.map(\.name) == ["1", "2", "3", "4", "5", "6", "8"])
    // Deeper mocks would not help, and would be millions.
    #expect(throws: ResponseDecodingError.self) { try Mistyped.from(library) }
    books[7].title = nil
    #expect(throws: ResponseDecodingError.self) { try Named.from(library) }
  }

  @Test("A mock that contains itself has an end, and a model has as much of it as it selects")
  func cycles() throws {
    let data = try Named.from(library())
    #expect(data.book.sequels[0].sequels.map(\.title) == [1] && data.book.sequels[1].sequels.map(\.title) == [2, 1])
    #expect(data.book.sequels[0].sequels[0].sequels.map(\.name) == ["two", "one"])
    let (one, other) = (library(), library())
    #expect(one == other && Set([one, other]).count == 1)
    other.book?.title = 3
    #expect(one != other)
    other.book?.title = nil
    #expect(throws: ResponseDecodingError.self) { try Named.from(other) }
  }

  /// Its fields are called like members of all mocks and of their lists of fields. Generated code has more of them.
  enum Commit: MockObject {
    static let typename = "Query"
    static let mockFields = MockFields()
    struct MockFields: MockFieldList {
      let count = MockField<Int>("all")
      let digest = MockField<String>("hash")
      var all: [AnyMockField] { [count.erased, digest.erased] }
    }
  }

  @Test("A mock has properties for fields that are called hash and all, and is hashed as any other")
  func hashAndAll() throws {
    let mock = Mock<Commit>(all: 1, hash: "f00"), other = Mock<Commit>(all: 1)
    #expect(mock.all == 1)
    #expect(mock.hash == "f00")
    #expect(other.hash == nil)
    #expect(mock != other && Set([mock, other]).count == 2)
    other.hash = "f00"
    #expect(mock == other && Set([mock, other]).count == 1)
    #expect(mock._selectionSetMockData["hash"] as? String == "f00")
  }

  struct Stamp: CustomScalarType {
    var text: String
    init(_jsonValue value: JSONValue) throws { text = try String(_jsonValue: value) }
    var _jsonValue: JSONValue { text }
  }

  enum Dated: MockObject {
    static let typename = "Query"
    static let mockFields = MockFields()
    struct MockFields: MockFieldList {
      let by = MockField<Stamp>("by", defaultText: "")
      let count = MockField<Int>("count", defaultText: "")
      var all: [AnyMockField] { [by.erased, count.erased] }
    }
  }

  struct Dates: SelectionSet {
    var by: Stamp
    var count: Int?
    static let __fields = __FieldTable(version: 1, "by count")
    init(__reading object: inout __ObjectReader) throws(__ReadError) {
      by = try object.read(0)
      count = try object.read(1)
    }
    func __writeFields(to writer: inout __JSONWriter) {
      writer.write(0, by)
      writer.write(1, count)
    }
  }

  @Test("A scalar whose type the app declares has what the type makes of an empty text, or else no default")
  func textDefaults() throws {
    let mock = Mock<Dated>()
    let dates = try Dates.from(mock)
    #expect(dates.by.text == "" && dates.count == nil)
    mock.by = try Stamp(_jsonValue: "now")
    #expect(try Dates.from(mock).by.text == "now")
  }
}

extension Mock where O == MockObjectTests.Commit {
  var all: Int? {
    get { self.count }
    set { self.count = newValue }
  }

  var hash: String? {
    get { self.digest }
    set { self.digest = newValue }
  }

  convenience init(all: Int? = nil, hash: String? = nil) {
    self.init()
    self.count = all
    self.digest = hash
  }
}
