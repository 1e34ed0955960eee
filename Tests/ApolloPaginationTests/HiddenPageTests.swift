import Apollo
@testable import ApolloCache
@testable import ApolloPagination
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

  @Test("A later page is what the server has, until the update is over")
  func later() async throws {
    let bed = TestBed(.apart)
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
}
