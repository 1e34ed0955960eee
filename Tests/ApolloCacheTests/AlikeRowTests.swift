import ApolloAPI
@testable import ApolloCache
import Testing

/// `query Rows { rows { c0 c1 … c11 content } }`
private struct ColumnsQuery: GraphQLQuery {
  static let operationName = "Rows"
  static let operationDocument = OperationDocument("query Rows { rows { c0 } }")

  func __writeVariables(to writer: inout __JSONWriter) {}

  struct Data: SelectionSet, Hashable {
    var rows: [Row]

    static let __fields = __FieldTable(version: 1, "rows")

    init(__reading object: inout __ObjectReader) throws(__ReadError) { rows = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, rows) }
  }

  struct Row: SelectionSet, Hashable {
    var columns: [Int?] = []
    /// Any JSON.
    var content: ApolloAPI.JSONScalar?

    static let __fields = __FieldTable(version: 1, "c0 c1 c2 c3 c4 c5 c6 c7 c8 c9 c10 c11 content")

    init(columns: [Int?], content: ApolloAPI.JSONScalar?) {
      self.columns = columns
      self.content = content
    }

    init(__reading object: inout __ObjectReader) throws(__ReadError) {
      for column in 0..<12 { columns.append(try object.read(column)) }
      content = try object.read(12)
    }

    func __writeFields(to writer: inout __JSONWriter) {
      for (column, value) in columns.enumerated() { writer.write(column, value) }
      writer.write(12, content)
    }
  }
}

@Suite("Long lists of objects that have little to tell them apart", .timeLimit(.minutes(10)))
struct AlikeRowTests {
  /// What tells rows apart.
  enum Difference: CaseIterable {
    /// Which of their columns are null.
    case nulls
    /// A custom scalar that is an object.
    case json
  }

  @Test(
    "Rows that come or go leave the others as they are, whatever tells them apart", arguments: Difference.allCases)
  func edits(difference: Difference) async throws {
    let count = 4000, store = ApolloStore()
    let rows = (0..<count).map { number -> Record.Value in
      var row: [String: Record.Value] = ["other": .int(number), "content": .null]
      for column in 0..<12 { row["c\(column)"] = difference == .nulls && number >> column & 1 == 1 ? .int(1) : .null }
      return .object(row)
    }
    try await store.publish(records: ["QUERY_ROOT": ["rows": .list(rows)]])
    try await store.withinReadWriteTransaction { transaction in
      if difference == .json {
        try transaction.update(query: ColumnsQuery()) { data in
          for number in data.rows.indices { data.rows[number].content = ["n": .int(number)] }
        }
      }
      try transaction.update(query: ColumnsQuery()) { data in
        let new = ColumnsQuery.Row(columns: Array(repeating: 2, count: 12), content: nil)
        data.rows.remove(at: count / 2)
        data.rows.insert(new, at: 0)
        data.rows.append(new)
      }
    }
    guard case .list(let elements)? = store.engine.table.exported(["QUERY_ROOT"])["QUERY_ROOT"]?["rows"] else {
      Issue.record("there is no list")
      return
    }
    let others = elements.map { element -> Record.Value? in
      if case .object(let fields) = element { fields["other"] } else { nil }
    }
    var expected = (0..<count).map { number -> Record.Value? in .int(number) }
    expected.remove(at: count / 2)
    #expect(others == [nil] + expected + [nil])
  }
}
