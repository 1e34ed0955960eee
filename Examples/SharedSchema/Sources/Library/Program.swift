import Apollo
import Catalog
import LibraryAPI

/// Reads responses that a server might have sent to operations of two modules, which have the types of one schema.
@main struct Program {
  static func main() throws {
    let filter = Filter(genre: .some(.case(.fiction)))
    print(String(decoding: ItemsQuery(filter: .some(filter)).variables.json, as: UTF8.self))
    let book: JSONObject = ["__typename": "Book", "title": "Dune", "genre": "FICTION", "pages": 412]
    let items = try ItemsQuery.Data(jsonObject: ["items": [book]]).items

    let film: JSONObject = ["__typename": "Film", "title": "Stalker", "genre": "FICTION", "minutes": 162]
    let loan: JSONObject = ["__typename": "Loan", "due": "2026-12-24", "item": film]
    let loans = try LoansQuery.Data(jsonObject: ["loans": [loan]]).loans

    // One type in both modules.
    let genres: [GraphQLEnum<Genre>] = items.map(\.genre) + loans.map(\.item.genre)
    print(Set(genres.compactMap { $0.value?.heading }).sorted().joined(separator: ", "))
    print(items[0].line)
    print("\(loans[0].item.asFilm?.title ?? "nothing"), due \(loans[0].due)")
  }
}
