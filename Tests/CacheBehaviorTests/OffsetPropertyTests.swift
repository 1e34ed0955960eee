@testable import ApolloAPI
@testable import ApolloCache
import DiskCaches
import GraphQLExecution
import ResponseStyles
import StyledTests
import Testing

/// How the server's list loses letters.
private enum Removals: CaseIterable {
  /// What the app removes is removed on the server first: the mutation of a deletion.
  case both
  /// As `both`, and other clients remove letters and add some, of which the app does not hear.
  case otherClients
  /// The app takes records out of its cache, and the server keeps all.
  case cacheOnly
}

extension CacheBehaviorTests {
  @Suite("Random pages by offset, of a server whose list loses elements")
  struct OffsetPropertyTests {
    private let pages: Pages
    private let field: String
    /// The server's list.
    private var letters: [Character]
    private let limit: Int
    private var random: SplitMix
    /// What happened, for a failure.
    private var story = ""

    private init(_ field: String, _ cache: any NormalizedCache, seed: UInt64) throws {
      pages = try Pages(cache)
      self.field = field
      random = SplitMix(state: seed &+ 1)
      letters = Array("abcdefghijklmn".prefix(Int.random(in: 3...14, using: &random)))
      limit = Int.random(in: 1...4, using: &random)
    }

    init() throws { try self.init("items", InMemoryNormalizedCache(), seed: 0) }

    /// Loads the page at an offset, twice: the second time changes nothing.
    private mutating func load(_ offset: Int) async throws -> [Character] {
      let page = Array(letters.dropFirst(offset).prefix(limit))
      story += "\n\(field)(offset: \(offset), limit: \(limit)) → \(String(page))"
      let elements = page.map { #"{"__typename":"Letter","id":"\#($0)"}"# }.joined(separator: ",")
      var lists: [[Character]] = []
      for _ in 0..<2 {
        try await pages.scenario.write(
          "query Q { \(field)(offset: \(offset), limit: \(limit)) { id } }", #"{"\#(field)":[\#(elements)]}"#)
        lists.append(try await list())
      }
      story += ": \(String(lists[0]))"
      #expect(lists[0] == lists[1], "the page was loaded again\(story)")
      #expect(Set(lists[0]).count == lists[0].count, "a letter is there twice\(story)")
      return page
    }

    private func list() async throws -> [Character] {
      let text = try await pages.scenario.read("query Q { \(field) { id } }")
      return text.split(separator: "\"id\":\"").dropFirst().compactMap(\.first)
    }

    @Test(
      "The list is the beginning of the server's where the app hears of all removals, and all of it after all pages",
      arguments: ["items", "held"], Effort.seeds(6))
    func random(field: String, seed: UInt64) async throws {
      for removals in Removals.allCases {
        let disk = seed.isMultiple(of: 4) ? try DiskCache() : nil
        var test = try Self(field, disk?.cache ?? InMemoryNormalizedCache(), seed: seed)
        try await test.run(removals)
      }
    }

    private mutating func run(_ removals: Removals) async throws {
      story = "\n\(removals) of \(String(letters))"
      var wantedCount = try await load(0).count, others = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
      for _ in 0..<Int.random(in: 3...14, using: &random) {
        let known = try await list()
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<12:
          let isNext = Bool.random(using: &random)
          let offset = isNext ? known.count : Int.random(in: 0...known.count / limit, using: &random) * limit
          let page = try await load(offset)
          let isRefetch = offset == 0 && field == "items"
          let end = page.count < limit ? letters.count : max(wantedCount, offset + page.count)
          wantedCount = isRefetch ? page.count : end
        case 12..<17:
          guard let letter = known.randomElement(using: &random) else { continue }
          try await pages.scenario.store.remove("Letter:\(letter)")
          story += "\nremoved \(letter)"
          if removals != .cacheOnly, let index = letters.firstIndex(of: letter) {
            letters.remove(at: index)
            wantedCount -= 1
          }
        default:
          guard removals == .otherClients, !others.isEmpty else { continue }
          if Bool.random(using: &random), let letter = letters.randomElement(using: &random) {
            letters.removeAll { $0 == letter }
          } else {
            letters.insert(others.removeFirst(), at: Int.random(in: 0...letters.count, using: &random))
          }
          story += "\nthe server has \(String(letters))"
        }
        if removals == .both { #expect(try await list() == Array(letters.prefix(wantedCount)), "\(story)") }
      }
      for offset in stride(from: 0, through: letters.count, by: limit) { _ = try await load(offset) }
      #expect(try await list() == letters, "\(story)")
    }
  }
}
