import Apollo
import ApolloMocks
import Testing

/// Mocks may contain themselves, and objects that are not set contain others. A model selects a part of them that has an
/// end.
@Suite("How much of a mock is written") struct MockDepthTests {
  // MARK: Objects that are not set

  /// The fields of five types, each of which must contain an object of each.
  struct KnotFields: MockFieldList {
    let name = MockField<String>("name", default: "")
    let one = MockField<Mock<KnotOne>>("one", default: Mock<KnotOne>())
    let two = MockField<Mock<KnotTwo>>("two", default: Mock<KnotTwo>())
    let three = MockField<Mock<KnotThree>>("three", default: Mock<KnotThree>())
    let four = MockField<Mock<KnotFour>>("four", default: Mock<KnotFour>())
    let five = MockField<Mock<KnotFive>>("five", default: Mock<KnotFive>())
    var all: [AnyMockField] { [name.erased, one.erased, two.erased, three.erased, four.erased, five.erased] }
  }

  enum KnotOne: MockObject {
    static let typename = "One"
    static let mockFields = KnotFields()
  }

  enum KnotTwo: MockObject {
    static let typename = "Two"
    static let mockFields = KnotFields()
  }

  enum KnotThree: MockObject {
    static let typename = "Three"
    static let mockFields = KnotFields()
  }

  enum KnotFour: MockObject {
    static let typename = "Four"
    static let mockFields = KnotFields()
  }

  enum KnotFive: MockObject {
    static let typename = "Five"
    static let mockFields = KnotFields()
  }

  struct Tied: SelectionSet {
    var one: Second
    static let __fields = __FieldTable(version: 1, "one")
    init(__reading object: inout __ObjectReader) throws(__ReadError) { one = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, one) }
  }

  struct Second: SelectionSet {
    var one: Third
    static let __fields = __FieldTable(version: 1, "one")
    init(__reading object: inout __ObjectReader) throws(__ReadError) { one = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, one) }
  }

  struct Third: SelectionSet {
    var one: Named
    static let __fields = __FieldTable(version: 1, "one")
    init(__reading object: inout __ObjectReader) throws(__ReadError) { one = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, one) }
  }

  struct Named: SelectionSet {
    var name: String
    static let __fields = __FieldTable(version: 1, "name")
    init(__reading object: inout __ObjectReader) throws(__ReadError) { name = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, name) }
  }

  @Test("As JSON a mock has what is set and the defaults of scalars, and a mock inside of itself is null")
  func asJSON() throws {
    let one = Mock<KnotOne>(), two = Mock<KnotTwo>()
    one.two = two
    two.name = "second"
    two.one = one
    let mock: any AnyMock = one
    let json = mock._selectionSetMockData, second = try #require(json["two"] as? JSONObject)
    #expect(Set(json.keys) == ["__typename", "name", "two"])
    #expect(json["__typename"] as? String == "One" && json["name"] as? String == "")
    #expect(second["name"] as? String == "second" && second["one"] is JSONNull)
    #expect(one._data["two"] as? Mock<KnotTwo> === two && two._data["name"] as? String == "second")
    #expect(one._data["__typename"] as? String == "One" && one._data["name"] == nil)
  }

  @Test("Objects that are not set are there as deep as a model selects them, and no others are made")
  func unset() throws {
    #expect(try Tied.from(Mock<KnotOne>()).one.one.one.name == "")
    let set = Mock<KnotOne>()
    set.two = Mock<KnotTwo>()
    #expect(set == Mock<KnotOne>())
    set.two?.five = Mock<KnotFive>()
    set.two?.five?.name = "set"
    #expect(set != Mock<KnotOne>())
  }

  @Test("Mocks that all contain each other are compared in no time, and differ if one of them does")
  func comparison() {
    let (one, other) = (Self.group(), Self.group())
    #expect(one[0] == other[0] && one[0].hashValue == other[0].hashValue)
    other[10].title = 99
    #expect(one[0] != other[0])
  }

  private static func group() -> [Mock<MockObjectTests.Book>] {
    let books = (0...10).map { number in
      let book = Mock<MockObjectTests.Book>()
      book.title = number
      return book
    }
    for book in books { book.sequels = books.filter { $0 !== book } }
    return books
  }

  // MARK: Conditions

  enum Root: MockObject {
    static let typename = "Query"
    static let mockFields = MockFields()
    struct MockFields: MockFieldList {
      let author = MockField<Mock<Author>>("author")
      let shade = MockField<Shade>("shade")
      let ratio = MockField<Double>("ratio")
      let grid = MockField<[[InterfaceMock]]>("grid", default: [])
      var all: [AnyMockField] { [author.erased, shade.erased, ratio.erased, grid.erased] }
    }
  }

  enum Author: MockObject {
    static let typename = "Author"
    static let mockFields = MockFields()
    struct MockFields: MockFieldList {
      let name = MockField<String>("name", default: "")
      let posts = MockField<[Mock<Post>]>("posts", default: [])
      var all: [AnyMockField] { [name.erased, posts.erased] }
    }
  }

  enum Post: MockObject {
    static let typename = "Post"
    static let mockFields = MockFields()
    struct MockFields: MockFieldList {
      let name = MockField<String>("name", default: "")
      let author = MockField<Mock<Author>>("author", default: Mock<Author>())
      var all: [AnyMockField] { [name.erased, author.erased] }
    }
  }

  struct FeedQuery: GraphQLQuery {
    static let operationName = "Feed"
    static let operationDocument = OperationDocument(
      "query Feed($more: Boolean!) { author { name posts @include(if: $more) { author { name posts { name } } } } }")
    var more: Bool

    func __writeVariables(to writer: inout __JSONWriter) { writer.write("more", more) }

    struct Data: SelectionSet {
      var author: Poster
      static let __fields = __FieldTable(version: 1, "author")
      init(__reading object: inout __ObjectReader) throws(__ReadError) { author = try object.read(0) }
      func __writeFields(to writer: inout __JSONWriter) { writer.write(0, author) }
    }

    struct Poster: SelectionSet {
      var name: String
      var posts: [Posted]?
      static let __fields = __FieldTable(version: 1, "name posts ?$more")
      init(__reading object: inout __ObjectReader) throws(__ReadError) {
        name = try object.read(0)
        posts = try object.includes(0) ? object.read(1) as [Posted] : nil
      }
      func __writeFields(to writer: inout __JSONWriter) {
        writer.write(0, name)
        if let posts { writer.write(1, posts) }
      }
    }

    struct Posted: SelectionSet {
      var author: Writer
      static let __fields = __FieldTable(version: 1, "author")
      init(__reading object: inout __ObjectReader) throws(__ReadError) { author = try object.read(0) }
      func __writeFields(to writer: inout __JSONWriter) { writer.write(0, author) }
    }

    struct Writer: SelectionSet {
      var name: String
      var posts: [Named]
      static let __fields = __FieldTable(version: 1, "name posts")
      init(__reading object: inout __ObjectReader) throws(__ReadError) {
        name = try object.read(0)
        posts = try object.read(1)
      }
      func __writeFields(to writer: inout __JSONWriter) {
        writer.write(0, name)
        writer.write(1, posts)
      }
    }
  }

  @Test("A mock answers with what the variables of each request select, and as it was when it was given")
  func conditions() async throws {
    let author = Mock<Author>(), post = Mock<Post>(), root = Mock<Root>()
    (author.name, author.posts) = ("Ann", [post])
    (post.name, post.author) = ("P", author)
    root.author = author
    let transport = MockNetworkTransport(), client = makeClient(transport)
    transport.expect(FeedQuery.self).respond(mock: root)
    author.name = "Later"
    let less = try await client.fetch(query: FeedQuery(more: false), cachePolicy: .fetchIgnoringCacheData).data
    #expect(less?.author.name == "Ann" && less?.author.posts == nil)
    let more = try await client.fetch(query: FeedQuery(more: true), cachePolicy: .fetchIgnoringCacheData).data
    #expect(more?.author.posts?.first?.author.name == "Ann")
    #expect(more?.author.posts?.first?.author.posts.map(\.name) == ["P"])
  }

  // MARK: Values without a form in JSON

  /// A scalar that can only be read.
  struct Shade: JSONDecodable, Hashable {
    let text: String

    init(_ text: String) { self.text = text }

    init(_jsonValue value: JSONValue) throws {
      guard let text = value as? String else { throw JSONDecodingError.wrongType }
      self.text = text
    }
  }

  struct PaletteQuery: GraphQLQuery {
    static let operationName = "Palette"
    static let operationDocument = OperationDocument("query Palette { shade ratio }")

    struct Data: SelectionSet {
      var shade: Shade?
      var ratio: Double?
      static let __fields = __FieldTable(version: 1, "shade ratio")
      init(shade: Shade?, ratio: Double?) { (self.shade, self.ratio) = (shade, ratio) }
      init(__reading object: inout __ObjectReader) throws(__ReadError) {
        shade = try object.read(0)
        ratio = try object.read(1)
      }
      func __writeFields(to writer: inout __JSONWriter) {
        writer.write(0, shade)
        writer.write(1, ratio)
      }
    }
  }

  struct RatioQuery: GraphQLQuery {
    static let operationName = "Ratio"
    static let operationDocument = OperationDocument("query Ratio { ratio }")

    struct Data: SelectionSet {
      var ratio: Double?
      static let __fields = __FieldTable(version: 1, "ratio")
      init(__reading object: inout __ObjectReader) throws(__ReadError) { ratio = try object.read(0) }
      func __writeFields(to writer: inout __JSONWriter) { writer.write(0, ratio) }
    }
  }

  @Test("A value that cannot be sent is an error that says so, and not null")
  func unwritten() async throws {
    let transport = MockNetworkTransport(), client = makeClient(transport)
    func palette() async -> String {
      await message { _ = try await client.fetch(query: PaletteQuery(), cachePolicy: .fetchIgnoringCacheData) }
    }
    transport.expect(PaletteQuery.self).respond(data: PaletteQuery.Data(shade: Shade("red"), ratio: nil))
    #expect(await palette().contains("Shade cannot be written"))
    transport.expect(PaletteQuery.self).respond(data: PaletteQuery.Data(shade: nil, ratio: .infinity))
    #expect(await palette().contains("The number inf cannot be written"))
    let root = Mock<Root>()
    (root.shade, root.ratio) = (Shade("red"), 0.5)
    transport.expect(PaletteQuery.self).respond(mock: root)
    #expect(await palette().contains("Shade cannot be written"))
    // An operation that does not select the value is answered, and a model has it.
    transport.expect(RatioQuery.self).respond(mock: root)
    #expect(try await client.fetch(query: RatioQuery(), cachePolicy: .fetchIgnoringCacheData).data?.ratio == 0.5)
    #expect(try PaletteQuery.Data.from(root).shade == Shade("red"))
  }

  @Test("Mocks with different values without a form in JSON differ")
  func unwrittenComparison() {
    let (one, other) = (Mock<Root>(), Mock<Root>())
    (one.shade, other.shade) = (Shade("red"), Shade("red"))
    #expect(one == other && one.hashValue == other.hashValue)
    other.shade = Shade("blue")
    #expect(one != other)
  }

  // MARK: Lists of lists

  struct Grid: SelectionSet {
    var grid: [[Named]]
    static let __fields = __FieldTable(version: 1, "grid")
    init(__reading object: inout __ObjectReader) throws(__ReadError) { grid = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, grid) }
  }

  @Test("A list of lists of an interface has mocks of its types")
  func grid() throws {
    let author = Mock<Author>(), post = Mock<Post>(), root = Mock<Root>()
    (author.name, post.name) = ("Ann", "P")
    root.grid = [[InterfaceMock(author), InterfaceMock(post)], []]
    #expect(try Grid.from(root).grid.map { $0.map(\.name) } == [["Ann", "P"], []])
  }
}
