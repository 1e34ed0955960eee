import Apollo
import ApolloTestSupport
import Shelves
import Testing

@Suite struct ShelfTests {
  @Test("A shelf of mocks is read as if a server had sent it")
  func mocks() throws {
    let dune = Mock<Book>(author: Mock<Author>(name: "Frank Herbert"), title: "Dune")
    dune.genre = .case(.fiction)
    let film = Mock<Film>(minutes: 137, title: "Dune")
    let query = BooksAPI.ShelfQuery(id: "1")
    let data = try BooksAPI.ShelfQuery.Data.from(
      Mock<Query>(shelf: Mock<Shelf>(items: [dune, film])), withVariables: query.variables)

    let items = try #require(data.shelf?.items)
    #expect(items.map(\.title) == ["Dune", "Dune"])
    #expect(items[0].bookDetails?.author?.name == "Frank Herbert")
    #expect(items[0].bookDetails?.genre == .case(.fiction))
    #expect(items[0].asFilm == nil)
    #expect(items[1].asFilm?.minutes == 137)
    #expect(items[1].bookDetails == nil)
  }

  @Test("A field that is not set is null, or the default of its type")
  func defaults() throws {
    let data = try BooksAPI.ShelfQuery.Data.from(
      Mock<Query>(shelf: Mock<Shelf>(items: [Mock<Book>()])),
      withVariables: BooksAPI.ShelfQuery(id: "1", withAuthors: false).variables)
    let item = try #require(data.shelf?.items.first)
    #expect(item.title == "")
    #expect(item.bookDetails?.genre == .case(.fiction))
    #expect(item.bookDetails?.author == nil)
  }
}
