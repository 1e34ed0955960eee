import Apollo
import ApolloAPI
@testable import ApolloCache
@testable import ApolloPagination
import Fixture0041
import Foundation
import Testing

@Suite("Pages that an optimistic update hides a part of") struct HiddenPageTests {
  private static func hide(_ friend: String, _ bed: TestBed) async throws {
    try await bed.client.store.applyOptimisticUpdate(id: "a") { try $0.removeField("name", of: "Character:\(friend)") }
  }

  @Test("A first page comes when the update is over", arguments: Mode.allCases)
  func first(mode: Mode) async throws {
    let bed = TestBed(mode)
    await bed.fetch()
    try await Self.hide("Han", bed)
    await bed.reset()
    await bed.fetch()
    await bed.settle()
    #expect(bed.recorder.values.count == 1 && bed.server.requests.count == 2)
    try await bed.client.store.revertOptimisticUpdate(id: "a")
    await bed.settle()
    #expect(bed.outputs.count == 2 && bed.last?.names == ["Luke", "Han"])
    try await bed.loadNext()
    #expect(bed.last?.names == ["Luke", "Han", "Leia"])
  }

  @Test("A later page is what the server has, until the update is over", arguments: Mode.allCases)
  func later(mode: Mode) async throws {
    let bed = TestBed(mode)
    await bed.fetch()
    try await bed.loadNext()
    try await Self.hide("Leia", bed)
    await bed.refetch()
    try await bed.loadNext()
    #expect(bed.last?.names == ["Luke", "Han", "Leia"] && bed.server.requests.count == 4)
    try await bed.client.store.revertOptimisticUpdate(id: "a")
    try await bed.rename("Leia", "Organa")
    await bed.settle()
    #expect(bed.last?.names == ["Luke", "Han", "Organa"])
  }

  @Test("One list: pages that come while it cannot be read are in it when it can be read again")
  func unreadableList() async throws {
    let bed = TestBed(.list, friends: ["A", "B", "C", "D", "E"])
    await bed.fetch()
    try await Self.hide("A", bed)
    try await bed.loadNext()
    try await bed.loadNext()
    #expect(bed.last?.initial == ["A", "B"] && bed.last?.next == [["C", "D"], ["E"]])
    try await bed.client.store.revertOptimisticUpdate(id: "a")
    await bed.settle()
    #expect(bed.last?.initial == ["A", "B", "C", "D", "E"] && bed.last?.next == [] && !bed.pager.canLoadNext)
    try await bed.rename("C", "Cc")
    await bed.settle()
    #expect(bed.last?.names == ["A", "B", "Cc", "D", "E"])
  }

  @Test("One list: if it was cut while it could not be read, its pages come again, and none is left out")
  func cutList() async throws {
    let bed = TestBed(.list, friends: ["A", "B", "C", "D", "E", "F"])
    await bed.fetch()
    try await bed.loadNext()
    try await Self.hide("A", bed)
    try await bed.loadNext()
    #expect(bed.last?.initial == ["A", "B", "C", "D"] && bed.last?.next == [["E", "F"]])
    _ = try await bed.client.fetch(query: ListedFriendsQuery(id: "2001", first: 2), cachePolicy: .networkOnly)
    try await bed.client.store.revertOptimisticUpdate(id: "a")
    await bed.settle()
    #expect(bed.last?.names == ["A", "B"] && bed.pager.canLoadNext)
    try await bed.loadAll(fetchFromInitialPage: false)
    #expect(bed.last?.initial == ["A", "B", "C", "D", "E", "F"] && bed.last?.next == [])
  }

  @Test("A load of all pages goes on behind a first page that is hidden", arguments: Mode.allCases)
  func all(mode: Mode) async throws {
    let bed = TestBed(mode)
    await bed.fetch()
    try await Self.hide("Han", bed)
    try await bed.loadAll()
    #expect(bed.last?.names == ["Luke", "Han", "Leia"] && bed.server.requests.count == 3)
    try await bed.client.store.revertOptimisticUpdate(id: "a")
    await bed.settle()
    #expect(bed.last?.names == ["Luke", "Han", "Leia"] && !bed.pager.canLoadNext)
  }

  @Test("The answer to a refetch takes the place of all pages at once when it comes to light")
  func refetched() async throws {
    let bed = TestBed(.apart, friends: ["A", "B", "C", "D", "E"])
    await bed.fetch()
    try await bed.loadNext()
    try await Self.hide("A", bed)
    bed.server.setFriends(["new", "A", "B", "C", "D", "E"])
    let count = bed.recorder.values.count
    await bed.refetch()
    await bed.settle()
    #expect(bed.recorder.values.count == count)
    try await bed.client.store.revertOptimisticUpdate(id: "a")
    await bed.settle()
    #expect(bed.outputs.dropFirst(count).map(\.names) == [["new", "A"]])
  }
}
