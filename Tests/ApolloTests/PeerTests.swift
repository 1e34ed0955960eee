import Apollo
import Foundation
import PeerServers
import Testing

@Suite(
  "Servers of other projects", .enabled(if: Peer.areInstalled, "they are not installed: scripts/bootstrap.sh peers"))
struct PeerTests {
  @Test("A query is posted and typed", arguments: Peer.allCases)
  func post(_ peer: Peer) async throws {
    let server = try await PeerServer.shared(peer)
    let client = ApolloClient(url: URL(string: server.address)!)
    let result = try await client.fetch(query: PeerHeroQuery())
    #expect(result.data?.hero?.name == "R2-D2")
  }
}

struct PeerHeroQuery: GraphQLQuery {
  static let operationName = "Hero"
  static let operationDocument = OperationDocument("query Hero { hero { __typename id name } }")

  struct Hero: SelectionSet, Hashable {
    var id: String
    var name: String
    static let fields = FieldTable("__typename id!# name")
    init(_ object: inout ObjectReader) throws(ReadError) {
      _ = try object.typename()
      id = try object.read(1)
      name = try object.read(2)
    }
    func writeFields(to writer: inout JSONWriter) {
      writer.write(1, id)
      writer.write(2, name)
    }
  }

  struct Data: SelectionSet, Hashable {
    var hero: Hero?
    static let fields = FieldTable("hero")
    init(_ object: inout ObjectReader) throws(ReadError) { hero = try object.read(0) }
    func writeFields(to writer: inout JSONWriter) { writer.write(0, hero) }
  }
}
