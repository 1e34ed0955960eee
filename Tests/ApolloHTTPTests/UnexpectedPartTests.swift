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

  /// What a response has in the end: its first part, and a deferred fragment that has parts of the first one again.
  private func repeated(_ first: String, _ again: String, mayStream: Bool) throws -> String {
    var response = IncrementalResponse(mayStream: mayStream, clock: .system)
    _ = try response.merge(ResponseBytes(Array("{\"data\":{\(first)},\"hasNext\":true}".restyled.utf8)))
    let part = #"{"incremental":[{"path":[],"label":"d","data":{\#(again)}}],"hasNext":false}"#.restyled
    let bytes = try #require(try response.merge(ResponseBytes(Array(part.utf8))))
    let tree = try JSONTree(bytes, maximumDepth: 64)
    var writer = __JSONWriter()
    tree.members?["data"]?.members?["l"]?.__write(to: &writer)
    return try #require(try canonical(writer.text))
  }

  @Test("A list that comes again with other elements replaces the one before, and no element has parts of two")
  func changedList() throws {
    let abc = #""l":[{"id":"A","n":"a"},{"id":"B","n":"b"},{"id":"C","n":"c"}]"#
    for (first, again, whole) in [
      (abc, #""l":[{"id":"A","m":1},{"id":"C","m":3}]"#, #"[{"id":"A","m":1},{"id":"C","m":3}]"#),
      (abc, #""l":[{"id":"A","m":1},{"id":"C","m":3},{"id":"B"}]"#, #"[{"id":"A","m":1},{"id":"C","m":3},{"id":"B"}]"#),
      (#""l":["x","y","z"]"#, #""l":["x","z"]"#, #"["x","z"]"#),
      (#""l":[["x","y"],["z"]]"#, #""l":[["y"]]"#, #"[["y"]]"#),
      (#""l":[{"n":0,"k":1},{"n":1,"k":1}]"#, #""l":[{"n":1}]"#, #"[{"n":1}]"#),
      (
        #""l":[{"node":{"id":"A","n":1},"c":1},{"node":{"id":"B","n":1}}]"#,
        #""l":[{"node":{"id":"B"}},{"node":{"id":"A"}}]"#, #"[{"node":{"id":"B"}},{"node":{"id":"A"}}]"#
      ),
    ] {
      for mayStream in [false, true] {
        #expect(try repeated(first, again, mayStream: mayStream) == canonical(whole), "\(again)")
      }
    }
  }

  @Test("A list that comes again with the same elements has what both had of each")
  func sameList() throws {
    let ab = #""l":[{"id":"A","n":1},{"id":"B","n":1}]"#, same = #"[{"id":"A","n":2},{"id":"B","n":1,"m":1}]"#
    let start = #"[{"id":"A","n":2},{"id":"B","n":1}]"#
    for mayStream in [false, true] {
      #expect(
        try repeated(ab, #""l":[{"id":"A","n":2},{"id":"B","m":1}]"#, mayStream: mayStream) == canonical(same))
      let begun = try repeated(ab, #""l":[{"id":"A","n":2}]"#, mayStream: mayStream)
      #expect(try begun == canonical(mayStream ? start : #"[{"id":"A","n":2}]"#), "the end may have been streamed")
      #expect(
        try repeated(#""l":[{"n":1,"k":1},{"n":2}]"#, #""l":[{"n":3},{"n":2}]"#, mayStream: mayStream)
          == canonical(#"[{"n":3,"k":1},{"n":2}]"#), "nothing tells its elements apart")
    }
  }

  @Test("An object that comes again with another id replaces the one before")
  func changedObject() throws {
    let steps = try merged(
      #"{"data":{"o":{"id":"\u00e9","total":10}},"hasNext":true}"#,
      #"{"incremental":[{"path":[],"label":"d","data":{"o":{"id":"e\u0301","note":"n"}}}],"hasNext":false}"#)
    try expect(
      steps[1],
      is: #"{"@defer":"notExecuted","data":{"@defer":{"d":"ready"},"o":{"id":"e\u0301","note":"n"}},"hasNext":false}"#)
  }

  @Test("Objects whose id is not a scalar are merged")
  func objectAsID() throws {
    let parts = ["note", "more"].enumerated().map { index, name in
      #"{"incremental":[{"path":["o"],"label":"\#(name)","data":{"id":{"v":"1"},"\#(name)":1}}],"hasNext":\#(index == 0)}"#
    }
    let steps = try merged(#"{"data":{"o":{"id":{"v":"1"},"total":10}},"hasNext":true}"#, parts[0], parts[1])
    try expect(
      steps[2],
      is:
        #"{"@defer":"notExecuted","data":{"o":{"@defer":{"more":"ready","note":"ready"},"id":{"v":"1"},"more":1,"note":1,"total":10}},"hasNext":false}"#
    )
  }

  @Test("A gap in a list is an error also where a fragment around it has failed")
  func gap() throws {
    let error = #expect(throws: IncrementalResponse.DeliveryError.self) {
      try merged(
        #"{"data":{"l":[{"n":0}]},"hasNext":true}"#,
        #"{"incremental":[{"path":[],"label":"d","data":null,"errors":[{"message":"m"}]}],"hasNext":true}"#,
        #"{"incremental":[{"path":["l",2],"label":"s","items":[{"n":2}]}],"hasNext":true}"#)
    }
    #expect(error?.path == ["l", 2])
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
