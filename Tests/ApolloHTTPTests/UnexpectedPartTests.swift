import Apollo
import StyledTests
import Testing

@Suite("Parts of a response that come late, again, or for nothing", .everyStyle) struct UnexpectedPartTests {
  private func expect(_ actual: String?, is json: String?, sourceLocation: SourceLocation = #_sourceLocation) throws {
    #expect(try canonical(actual) == canonical(json), sourceLocation: sourceLocation)
  }

  @Test("An announcement may come before its object")
  func announcedEarly() throws {
    let steps = try merged(
      #"{"data":{},"pending":[{"id":"0","path":[],"label":"A"},{"id":"1","path":["a"],"label":"B"}],"hasNext":true}"#,
      #"{"incremental":[{"id":"0","data":{"a":{"x":1}}}],"completed":[{"id":"0"}],"hasNext":true}"#)
    try expect(steps[0], is: #"{"@defer":"pending","data":{"@defer":{"A":"pending"}},"hasNext":true}"#)
    try expect(
      steps[1],
      is: #"{"@defer":"pending","data":{"@defer":{"A":"ready"},"a":{"x":1,"@defer":{"B":"pending"}}},"hasNext":true}"#)
  }

  // What graphql-js 17 and graphql-core 3.3 send where a fragment is spread beside a deferred one that contains it.
  @Test("A fragment may be announced later than its object comes; until then it is pending")
  func announcedLate() throws {
    let steps = try merged(
      #"{"data":{"o":{"z":3}},"pending":[{"id":"0","path":["o"],"label":"a"}],"hasNext":true}"#,
      #"{"pending":[{"id":"1","path":["o"],"label":"c"}],"incremental":[{"id":"0","data":{"x":1}}],"completed":[{"id":"0"}],"hasNext":true}"#,
      #"{"incremental":[{"id":"1","data":{"y":2}}],"completed":[{"id":"1"}],"hasNext":false}"#)
    try expect(
      steps[0], is: #"{"@defer":"pending","data":{"o":{"z":3,"@defer":{"a":"pending"}}},"hasNext":true}"#)
    try expect(
      steps[1],
      is: #"{"@defer":"pending","data":{"o":{"z":3,"x":1,"@defer":{"a":"ready","c":"pending"}}},"hasNext":true}"#)
    try expect(
      steps[2],
      is:
        #"{"@defer":"notExecuted","data":{"o":{"z":3,"x":1,"y":2,"@defer":{"a":"ready","c":"ready"}}},"hasNext":false}"#
    )
  }

  // (Servers of the form of 2022 send fields of the first part again, and of a streamed list its first elements.)
  @Test("A list that comes again with its first elements only keeps what was streamed", arguments: 0..<3)
  func repeatedStream(index: Int) throws {
    var parts = [1, 2].map {
      #"{"incremental":[{"path":["l",\#($0)],"label":"s","items":[{"n":\#($0)}]}],"hasNext":true}"#
    }
    parts.insert(
      #"{"incremental":[{"path":[],"label":"d","data":{"l":[{"n":0,"m":7}],"total":3}}],"hasNext":true}"#, at: index)
    var response = IncrementalResponse(), last: String?
    for part in [#"{"data":{"l":[{"n":0}]},"hasNext":true}"#] + parts + [#"{"hasNext":false}"#] {
      last = try response.merge(ResponseBytes(Array(part.restyled.utf8)))?.text
    }
    try expect(
      last,
      is:
        #"{"@defer":"notExecuted","data":{"@defer":{"d":"ready"},"l":[{"n":0,"m":7},{"n":1},{"n":2}],"total":3},"hasNext":false}"#
    )
  }

  @Test("A part of a fragment within one that has failed is passed over, and one of another place is an error")
  func belowFailure() throws {
    let first = #"{"data":{"a":{}},"hasNext":true}"#
    let failed = #"{"path":["a"],"label":"x","data":null,"errors":[{"message":"m"}]}"#
    func second(_ path: String, _ value: String) -> String {
      #"{"incremental":[\#(failed),{"path":\#(path),\#(value)}],"hasNext":false}"#
    }
    for (path, value) in [
      (#"["a","l",0]"#, #""label":"y","data":{"b":1}"#), (#"["a","l",1]"#, #""items":[1]"#),
      (#"["a","o"]"#, #""data":null"#),
    ] {
      let steps = try merged(first, second(path, value))
      try expect(
        steps[1],
        is:
          #"{"@defer":"notExecuted","data":{"a":{"@defer":{"x":[{"message":"m"}]}}},"errors":[{"message":"m"}],"hasNext":false}"#
      )
    }
    let error = #expect(throws: IncrementalResponse.DeliveryError.self) {
      try merged(first, second(#"["b"]"#, #""data":{}"#))
    }
    #expect(error?.path == ["b"])
  }
}
