@testable import ApolloAPI
@testable import ApolloCache
import StyledTests
import Testing

extension CacheBehaviorTests {
  @Suite("Pages that are loaded again", .everyStyle)
  struct PageReloadTests {
    private let pages: Pages

    init() throws { pages = try Pages() }

    /// How many pages wait beside the list.
    private var islandCount: Int {
      guard case .object(let connection)? = pages.scenario.store.engine.table[0]?.value(of: .forName("letters")),
        case .list(let islands)? = connection.value(of: .islands)
      else { return 0 }
      return islands.count
    }

    @Test("A list that begins behind a cursor which no element has is replaced by its newer form")
    func beginning() async throws {
      try await pages.load("cd", #"after: "cb""#, next: false, previous: true)
      try await pages.load("cde", #"after: "cb""#, next: false, previous: true)
      #expect(try await pages.list() == "<cde")
      try await pages.load("ab")
      #expect(try await pages.list() == "abcde")
    }

    @Test("So is a list that ends before such a cursor")
    func end() async throws {
      try await pages.load("cd", #"before: "ce""#, previous: true)
      try await pages.load("xd", #"before: "ce""#, previous: true)
      #expect(try await pages.list() == "<xd>")
      try await pages.load("ef", #"after: "cd""#, next: false, previous: true)
      #expect(try await pages.list() == "<xdef")
    }

    @Test("A page between two cursors is put where an element has one of them, even if the list begins or ends so")
    func between() async throws {
      try await pages.load("abcd", #"before: "ce""#)
      try await pages.load("cxd", #"after: "cb", before: "ce""#)
      #expect(try await pages.list() == "abcxd>")
      let others = try Pages()
      try await others.load("cdef", #"after: "cb""#, next: false, previous: true)
      try await others.load("cxd", #"after: "cb", before: "ce""#, previous: true)
      #expect(try await others.list() == "<cxdef")
    }

    @Test("With refetchKeepsPages, what follows such a page stays if it fits")
    func keepsPages() async throws {
      try await pages.load("cd", #"after: "cb""#, .edges, "kept", previous: true)
      try await pages.load("ef", #"after: "cd""#, .edges, "kept", next: false, previous: true)
      try await pages.load("xd", #"after: "cb""#, .edges, "kept", previous: true)
      #expect(try await pages.list(.edges, "kept") == "<xdef")
      try await pages.load("yz", #"after: "cb""#, .edges, "kept", previous: true)
      #expect(try await pages.list(.edges, "kept") == "<yz>", "nothing in common")
    }

    @Test("With refetchKeepsPages, a first page behind which nothing is says whether there are more")
    func nextPage() async throws {
      try await pages.load("ab", "first: 2", .edges, "kept", next: false)
      try await pages.load("ab", "first: 2", .edges, "kept", next: true)
      #expect(try await pages.list(.edges, "kept") == "ab>")
    }

    @Test("With refetchKeepsPages, nothing stays behind a page of which the server says that it is the last")
    func lastPage() async throws {
      try await pages.load("ab", "first: 2", .edges, "kept")
      try await pages.load("cdef", #"first: 4, after: "cb""#, .edges, "kept")
      try await pages.load("xd", #"first: 2, after: "cb""#, .edges, "kept", next: false)
      #expect(try await pages.list(.edges, "kept") == "abxd")
      try await pages.load("yb", "first: 2", .edges, "kept", next: false)
      #expect(try await pages.list(.edges, "kept") == "yb")
    }

    @Test("A page that waits beside the list goes where the list ends before it")
    func endBeforeWaiting() async throws {
      try await pages.load("ab")
      try await pages.load("ef", #"after: "cd""#)
      try await pages.load("cd", "first: 2", next: false)
      #expect(try await pages.list() == "cd")
    }

    @Test("A page that waits beside the list waits there once, in its newest form")
    func waiting() async throws {
      try await pages.load("ab")
      for letters in ["gh", "gx", "gxy"] { try await pages.load(letters, #"after: "cf""#, next: false) }
      #expect(islandCount == 1)
      try await pages.load("cdef", #"after: "cb""#)
      #expect(try await pages.list() == "abcdefgxy")
      #expect(islandCount == 0)
    }

    @Test("A page whose cursor was forgotten, because an app has moved elements, waits once as well")
    func forgotten() async throws {
      try await pages.load("ab", "first: 2", .nodes)
      try await pages.load("cd", #"after: "cb""#, .nodes)
      try await pages.scenario.store.withinReadWriteTransaction {
        try $0.connection("letters").move("Letter:d", before: "Letter:a")
      }
      for _ in 0..<3 { try await pages.load("cd", #"after: "cb""#, .nodes) }
      #expect(try await pages.list(.nodes) == "dabc>")
      #expect(islandCount == 1)
    }
  }
}
