import Apollo
import BookSchema

/// Reads a response that a server might have sent. `ApolloClient.fetch(query:)` would ask one for it.
@main struct Program {
  static func main() throws {
    let query = BooksQuery(genre: .fiction)
    print(
      "schema \(BookSchema.version): \(BooksQuery.operationName) \(String(decoding: query.variables.json, as: UTF8.self))"
    )
    let author: JSONObject = ["__typename": "Author", "name": "Frank Herbert"]
    let book: JSONObject = ["__typename": "Book", "id": "1", "title": "Dune", "author": author]
    let data = try BooksQuery.Data(jsonObject: ["books": [book]])
    for book in data.books { print("\(book.title), by \(book.author?.name ?? "nobody")") }
  }
}
