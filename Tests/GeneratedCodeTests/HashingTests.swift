import ApolloAPI
import Fixture0003
import Fixture0005
import Testing

/// Sets and dictionaries of models are fast if models that differ have different hashes.
@Suite("Hashes of models") struct HashingTests {
  /// Models that all differ: all have hashes of their own, and equal models have equal ones.
  func check<Model: Hashable>(_ models: [Model], _ again: [Model]) {
    #expect(models == again)
    #expect(models.map(\.hashValue) == again.map(\.hashValue))
    #expect(Set(models.map(\.hashValue)).count == models.count)
    #expect(Set(models).count == models.count)
  }

  @Test("Items of a union differ by what stands under their types")
  func unions() throws {
    let kinds: [(Int) -> String] = [
      { #"{"__typename":"Book","id":"\#($0)","name":"n","isbn":"i","edition":1,"authors":[]}"# },
      { #"{"__typename":"Author","id":"\#($0)","name":"n","all":[],"books":[]}"# },
      { #"{"__typename":"Shelf","label":"\#($0)"}"# },
    ]
    for kind in kinds {
      let data = "{\"search\":[\((0..<500).map(kind).joined(separator: ","))]}"
      let items = try read(SearchQuery(), data).search
      check(items, try read(SearchQuery(), data).search)
      check(items.compactMap(\.asBook), items.compactMap(\.asBook))
      check(items.compactMap(\.asShelf), items.compactMap(\.asShelf))
    }
  }

  @Test("Models differ by what stands under a type and a condition")
  func conditions() throws {
    func pets(_ field: (Int) -> String) -> String {
      let all = (0..<100).map { #"{"__typename":"Cat","name":"n",\#(field($0))}"# }
      return #"{"me":{"__typename":"Person","id":"1","pets":[\#(all.joined(separator: ","))]}}"#
    }
    let data = pets { #""meows":null,"owner":{"__typename":"Person","id":"\#($0)"}"# }
    let query = PetConditionsQuery(dogs: false, cats: true)
    check(try #require(read(query, data).me?.pets), try #require(read(query, data).me?.pets))
  }

  @Test("What is set in a part is hashed, whichever way leads to it")
  func edits() {
    let card = NamedCard(name: "Dune", asBook: .init(name: "Dune", edition: 1, isbn: "2"))
    var ways = [card, card, card, card]
    ways[0].name = "Emma"
    ways[1].asBook?.isbn = "3"
    ways[2].asBook?.name = "Ulysses"
    ways[3].asBook = nil
    check([card] + ways, [card] + ways)
    var back = ways[1]
    back.asBook?.isbn = "2"
    #expect(back == card && back.hashValue == card.hashValue)
    back = ways[2]
    back.name = "Dune"
    #expect(back == card && back.hashValue == card.hashValue)
  }

  @Test("A hash visits each part once")
  func work() {
    let part = Part()
    var hasher = Hasher()
    __Indirect(wrappedValue: part).hashFields(into: &hasher)
    #expect(part.visits == 1)
  }

  /// A part that counts how often it is hashed.
  private final class Part: InlineFragment {
    static let __fields = __FieldTable(version: 1, "name")
    var visits = 0

    func __writeFields(to writer: inout __JSONWriter) {}
    func __hashFields(into hasher: inout Hasher) { visits += 1 }
  }
}
