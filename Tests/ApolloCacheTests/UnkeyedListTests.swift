import ApolloAPI
@testable import ApolloCache
import Testing

/// `query Rows { rows { text number } }`
private struct RowsQuery: GraphQLQuery {
  static let operationName = "Rows"
  static let operationDocument = OperationDocument("query Rows { rows { text number } }")

  func __writeVariables(to writer: inout __JSONWriter) {}

  struct Data: SelectionSet, Hashable {
    var rows: [Row]

    static let __fields = __FieldTable(version: 1, "rows")

    init(__reading object: inout __ObjectReader) throws(__ReadError) { rows = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, rows) }
  }

  struct Row: SelectionSet, Hashable {
    var text: String
    var number: Double

    static let __fields = __FieldTable(version: 1, "text number")

    init(text: String, number: Double) {
      self.text = text
      self.number = number
    }

    init(__reading object: inout __ObjectReader) throws(__ReadError) {
      text = try object.read(0)
      number = try object.read(1)
    }

    func __writeFields(to writer: inout __JSONWriter) {
      writer.write(0, text)
      writer.write(1, number)
    }
  }
}

@Suite("Long lists of objects without keys", .timeLimit(.minutes(1)))
struct UnkeyedListTests {
  @Test("Objects that come or go leave the others as they are, and are not compared with each of them")
  func edits() async throws {
    let count = 8000, store = ApolloStore()
    // (A whole number is an integer in the cache, and the model writes a floating-point number.)
    let rows = (0..<count).map { number -> Record.Value in
      ["text": .string("text \(number)"), "number": .int(number), "other": .int(number)]
    }
    try await store.publish(records: ["QUERY_ROOT": ["rows": .list(rows)]])
    try await store.withinReadWriteTransaction { transaction in
      try transaction.update(query: RowsQuery()) { data in
        data.rows.remove(at: count / 2)
        data.rows.insert(RowsQuery.Row(text: "first", number: 0.5), at: 0)
        data.rows.append(RowsQuery.Row(text: "last", number: 1.5))
      }
    }
    guard case .list(let written)? = store.engine.table.exported(["QUERY_ROOT"])["QUERY_ROOT"]?["rows"] else {
      Issue.record("there is no list")
      return
    }
    let others = written.map { row -> Record.Value? in
      if case .object(let fields) = row { fields["other"] } else { nil }
    }
    var expected = (0..<count).map { number -> Record.Value? in .int(number) }
    expected.remove(at: count / 2)
    #expect(others == [nil] + expected + [nil])
  }
}
