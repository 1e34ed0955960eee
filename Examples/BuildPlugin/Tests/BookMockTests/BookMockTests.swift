import ApolloTestSupport
import Testing

@testable import Books

/// The plugin generates mocks for a test target without .graphql files: of what it generates for `Books`.
@Test func titlesAndAuthors() throws {
  let dune = Mock<Book>(author: Mock<Author>(name: "Frank Herbert"), title: "Dune")
  let data = try BooksQuery.Data.from(Mock<Query>(books: [dune, Mock<Book>()]))
  #expect(data.books.map(\.title) == ["Dune", ""])
  #expect(data.books.map(\.author?.name) == ["Frank Herbert", nil])
}
