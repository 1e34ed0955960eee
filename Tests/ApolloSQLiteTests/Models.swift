@testable import ApolloAPI
import ApolloCache

/// `query List { list { __typename id name } }`
struct ListQuery: GraphQLQuery {
  static let operationName = "List"
  static let operationDocument = OperationDocument("query List { list { __typename id name } }")

  func __writeVariables(to writer: inout __JSONWriter) {}

  struct Data: SelectionSet, Hashable {
    var list: [Item?]

    static let __fields = __FieldTable(version: 1, "list")

    init(__reading object: inout __ObjectReader) throws(__ReadError) { list = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, list) }
  }

  struct Item: SelectionSet, Hashable {
    var __typename: String
    var id: String
    var name: String

    static let __fields = __FieldTable(version: 1, "__typename id!# name")

    init(__reading object: inout __ObjectReader) throws(__ReadError) {
      __typename = try object.typename()
      id = try object.read(1)
      name = try object.read(2)
    }

    func __writeFields(to writer: inout __JSONWriter) {
      writer.write(0, __typename)
      writer.write(1, id)
      writer.write(2, name)
    }
  }
}

extension ApolloStore {
  /// Writes a list of items that have their ids as names, or other names.
  func publish(items ids: [String], names: [String]? = nil) async throws {
    var records: RecordSet = ["QUERY_ROOT": ["list": .list(ids.map { .reference("Item:\($0)") })]]
    for (id, name) in zip(ids, names ?? ids) {
      records.insert(
        Record(key: "Item:\(id)", ["__typename": "Item", "id": .string(id), "name": .string(name)]))
    }
    try await publish(records: records)
  }

  /// The names of the items in the list; nil for those that are gone.
  func names() async throws -> [String?] { try await load(ListQuery()).list.map { $0?.name } }
}
