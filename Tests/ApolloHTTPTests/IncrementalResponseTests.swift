import Apollo
import StyledTests
import Testing

/// Feeds parts to a response; each step gives the response so far, or nil.
func merged(_ parts: String...) throws -> [String?] {
  var response = IncrementalResponse()
  return try parts.map { part in try response.merge(ResponseBytes(Array(part.restyled.utf8))).map(\.text) }
}

/// JSON with sorted members and without white space.
func canonical(_ json: String?) throws -> String? {
  try json.map { json in
    var writer = __JSONWriter()
    writer.writeJSON(try ResponseReader.jsonValue(ResponseBytes(Array(json.utf8))))
    return writer.text
  }
}

private func expect(_ actual: String?, is json: String?, sourceLocation: SourceLocation = #_sourceLocation) throws {
  #expect(try canonical(actual) == canonical(json), sourceLocation: sourceLocation)
}

private func failure(_ parts: String...) -> IncrementalResponse.DeliveryError? {
  var response = IncrementalResponse()
  return #expect(throws: IncrementalResponse.DeliveryError.self) {
    for part in parts { _ = try response.merge(ResponseBytes(Array(part.restyled.utf8))) }
    try response.finish()
  }
}

@Suite("Parts of a response, current draft", .everyStyle) struct IncrementalResponseTests {
  @Test("A response in one piece passes as it is", .asWritten)
  func onePiece() throws {
    for text in [#"{ "data": {"a":1.50} }"#, #"{"errors":[{"message":"m"}]}"#, #"{"data":null,"hasNext":false}"#] {
      #expect(try merged(text) == [text])
    }
  }

  @Test("A response says whether lists may be shorter in it than in the whole answer")
  func openLists() throws {
    func areOpen(_ parts: String...) throws -> [Bool] {
      var response = IncrementalResponse(mayStream: false, clock: .system)
      return try parts.map { part in
        try response.merge(ResponseBytes(Array(part.restyled.utf8)))?.text.contains(#""@stream":true"#) == true
      }
    }
    let first = #"{"data":{"l":[1],"o":{}},"pending":[{"id":"0","path":["l"]},{"id":"1","path":["o"]}],"hasNext":true}"#
    #expect(
      try areOpen(
        first, #"{"completed":[{"id":"0"}],"hasNext":true}"#, #"{"completed":[{"id":"1"}],"hasNext":false}"#)
        == [true, false, false])
    let failure = #""errors":[{"message":"m"}]"#
    #expect(try areOpen(first, #"{"completed":[{"id":"0",\#(failure)}],"hasNext":false}"#) == [true, true])
    #expect(try areOpen(first, #"{"completed":[{"id":"1",\#(failure)}],"hasNext":false}"#) == [true, false])
    let object = #"{"data":{"o":{}},"pending":[{"id":"1","path":["o"]}],"hasNext":true}"#
    let both = #""pending":[{"id":"0","path":["o","l"]}],"incremental":[{"id":"1","data":{"l":[1]}}]"#
    let ends = #""completed":[{"id":"1"},{"id":"0",\#(failure)}]"#
    #expect(
      try areOpen(object, "{\(both),\(ends),\"hasNext\":false}") == [false, true], "it is announced, and fails at once")
    let old = #"{"data":{"l":[1]},"hasNext":true}"#
    #expect(try areOpen(old, #"{"hasNext":false}"#) == [false, false], "the operation has no @stream")
    let last = #"{"incremental":[{"path":["l",1],"items":null,\#(failure)}],"hasNext":false}"#
    #expect(try areOpen(old, last) == [false, true])
  }

  @Test("Fields are added at the path and the path below it; what is pending is announced with the part that needs it")
  func subPaths() throws {
    let steps = try merged(
      #"{"data":{"f2":{"a":"A","b":"B","c":{"d":"D","e":"E","f":{"h":"H","i":"I"}}}},"pending":[{"id":"0","path":[],"label":"D1"}],"hasNext":true}"#,
      #"{"incremental":[{"id":"0","subPath":["f2","c","f"],"data":{"j":"J","k":"K"}}],"pending":[{"id":"1","path":["f2","c","f"],"label":"D2"}],"completed":[{"id":"0"}],"hasNext":true}"#,
      #"{"incremental":[{"id":"1","data":{"l":"L","m":"M"}}],"completed":[{"id":"1"}],"hasNext":false}"#)
    try expect(
      steps[0],
      is:
        #"{"@defer":"pending","data":{"f2":{"a":"A","b":"B","c":{"d":"D","e":"E","f":{"h":"H","i":"I"}}},"@defer":{"D1":"pending"}},"hasNext":true}"#
    )
    try expect(
      steps[1],
      is:
        #"{"@defer":"pending","data":{"f2":{"a":"A","b":"B","c":{"d":"D","e":"E","f":{"h":"H","i":"I","j":"J","k":"K","@defer":{"D2":"pending"}}}},"@defer":{"D1":"ready"}},"hasNext":true}"#
    )
    try expect(
      steps[2],
      is:
        #"{"@defer":"notExecuted","data":{"f2":{"a":"A","b":"B","c":{"d":"D","e":"E","f":{"h":"H","i":"I","j":"J","k":"K","l":"L","m":"M","@defer":{"D2":"ready"}}}},"@defer":{"D1":"ready"}},"hasNext":false}"#
    )
  }

  @Test("Elements of lists are found by index")
  func listElements() throws {
    let steps = try merged(
      #"{"data":{"me":{"list":[{"f":{}},{"f":{}}]}},"pending":[{"id":"0","path":[],"label":"A"}],"hasNext":true}"#,
      #"{"incremental":[{"id":"0","subPath":["me","list",0],"data":{"b":1}},{"id":"0","subPath":["me","list",1,"f"],"data":{"c":2}}],"completed":[{"id":"0"}],"hasNext":false}"#
    )
    try expect(
      steps[1],
      is:
        #"{"@defer":"notExecuted","data":{"me":{"list":[{"f":{},"b":1},{"f":{"c":2}}]},"@defer":{"A":"ready"}},"hasNext":false}"#
    )
  }

  @Test("Two fragments of one object, of which each is completed by itself")
  func samePath() throws {
    let steps = try merged(
      #"{"data":{"me":{}},"pending":[{"id":"0","path":["me"],"label":"Bill"},{"id":"1","path":["me"],"label":"Projects"}],"hasNext":true}"#,
      #"{"incremental":[{"id":"1","data":{"projects":[{"name":"P"}]}}],"completed":[{"id":"1"}],"hasNext":true}"#,
      #"{"incremental":[{"id":"0","data":{"tier":"BRONZE"}}],"completed":[{"id":"0"}],"hasNext":false}"#)
    try expect(
      steps[0],
      is: #"{"@defer":"pending","data":{"me":{"@defer":{"Bill":"pending","Projects":"pending"}}},"hasNext":true}"#)
    try expect(
      steps[1],
      is:
        #"{"@defer":"pending","data":{"me":{"@defer":{"Bill":"pending","Projects":"ready"},"projects":[{"name":"P"}]}},"hasNext":true}"#
    )
    try expect(
      steps[2],
      is:
        #"{"@defer":"notExecuted","data":{"me":{"@defer":{"Bill":"ready","Projects":"ready"},"projects":[{"name":"P"}],"tier":"BRONZE"}},"hasNext":false}"#
    )
  }

  @Test("The errors of a part that brings nothing else are those of the response, too")
  func errorsOfPart() throws {
    let steps = try merged(
      #"{"data":{"me":{"id":"1"}},"errors":[{"message":"one"}],"hasNext":true}"#,
      #"{"errors":[{"message":"two"}],"hasNext":false}"#)
    try expect(
      steps[1],
      is:
        #"{"@defer":"notExecuted","data":{"me":{"id":"1"}},"errors":[{"message":"one"},{"message":"two"}],"hasNext":false}"#
    )
  }

  @Test("A fragment that is completed with errors has failed; the errors are those of the response, too")
  func failedFragment() throws {
    let error =
      #"{"message":"Cannot return null for non-nullable field Bar.qux.","locations":[{"line":1,"column":1}],"path":["foo","bar","qux"]}"#
    let steps = try merged(
      #"{"data":{"me":{}},"pending":[{"id":"0","path":[],"label":"A"},{"id":"1","path":["me"],"label":"B"}],"hasNext":true}"#,
      #"{"incremental":[{"id":"0","subPath":["me"],"data":{"foo":{"bar":{}}}},{"id":"0","subPath":["me","foo","bar"],"data":{"baz":"BAZ"}}],"completed":[{"id":"0"}],"hasNext":true}"#,
      #"{"completed":[{"id":"1","errors":[\#(error)]}],"hasNext":false}"#)
    try expect(
      steps[1],
      is:
        #"{"@defer":"pending","data":{"@defer":{"A":"ready"},"me":{"foo":{"bar":{"baz":"BAZ"}},"@defer":{"B":"pending"}}},"hasNext":true}"#
    )
    try expect(
      steps[2],
      is:
        #"{"@defer":"notExecuted","data":{"@defer":{"A":"ready"},"me":{"foo":{"bar":{"baz":"BAZ"}},"@defer":{"B":[\#(error)]}}},"errors":[\#(error)],"hasNext":false}"#
    )
  }

  @Test("Fields that belong to two fragments come once, with either")
  func overlap() throws {
    let steps = try merged(
      #"{"data":{"person":{"firstName":"Luke"}},"pending":[{"id":"0","path":["person"],"label":"world"},{"id":"1","path":["person"],"label":"nameAndWorld"}],"hasNext":true}"#,
      #"{"incremental":[{"id":"0","data":{"homeWorld":{"name":"Tatooine"}}},{"id":"0","subPath":["homeWorld"],"data":{"terrain":"desert"}}],"completed":[{"id":"0"}],"hasNext":true}"#,
      #"{"incremental":[{"id":"1","data":{"lastName":"Skywalker"}}],"completed":[{"id":"1"}],"hasNext":false}"#)
    try expect(
      steps[2],
      is:
        #"{"@defer":"notExecuted","data":{"person":{"@defer":{"nameAndWorld":"ready","world":"ready"},"firstName":"Luke","homeWorld":{"name":"Tatooine","terrain":"desert"},"lastName":"Skywalker"}},"hasNext":false}"#
    )
  }

  @Test(
    "Streamed items are added to their list, beside a deferred fragment; the last part may say only that it is the last"
  )
  func stream() throws {
    let steps = try merged(
      #"{"data":{"person":{"name":"Luke Skywalker","films":[{"title":"A New Hope"}]}},"pending":[{"id":"0","path":["person"],"label":"homeWorldDefer"},{"id":"1","path":["person","films"],"label":"filmsStream"}],"hasNext":true}"#,
      #"{"incremental":[{"id":"0","data":{"homeWorld":{"name":"Tatooine"}}},{"id":"1","items":[{"title":"The Empire Strikes Back"}]}],"completed":[{"id":"0"}],"hasNext":true}"#,
      #"{"incremental":[{"id":"1","items":[{"title":"Return of the Jedi"}]}],"hasNext":true}"#, #"{"hasNext":false}"#)
    let films = #"[{"title":"A New Hope"},{"title":"The Empire Strikes Back"},{"title":"Return of the Jedi"}]"#
    try expect(
      steps[2],
      is:
        #"{"@defer":"pending","@stream":true,"data":{"person":{"@defer":{"homeWorldDefer":"ready"},"name":"Luke Skywalker","homeWorld":{"name":"Tatooine"},"films":\#(films)}},"hasNext":true}"#
    )
    let data = try #require(ResponseReader.jsonValue(ResponseBytes(Array((steps[3] ?? "").utf8))) as? JSONObject)
    #expect(data["hasNext"] as? Bool == false)
    #expect(try canonical(steps[3])?.contains(films) == true)
  }

  @Test("A stream that is completed by errors keeps its items")
  func failedStream() throws {
    let steps = try merged(
      #"{"data":{"films":["a"]},"pending":[{"id":"1","path":["films"]}],"hasNext":true}"#,
      #"{"incremental":[{"id":"1","items":["b",null],"errors":[{"message":"one"}]}],"hasNext":true}"#,
      #"{"completed":[{"id":"1","errors":[{"message":"two"}]}],"hasNext":false}"#)
    try expect(
      steps[2],
      is:
        #"{"@defer":"notExecuted","@stream":true,"data":{"films":["a","b",null]},"errors":[{"message":"one"},{"message":"two"}],"hasNext":false}"#
    )
  }

  @Test("All in one part: pending, incremental and completed of the first part count")
  func collapsed() throws {
    let steps = try merged(
      #"{"data":{"a":{}},"pending":[{"id":"0","path":["a"],"label":"L"}],"incremental":[{"id":"0","data":{"b":1}}],"completed":[{"id":"0"}],"hasNext":false,"extensions":{"x":1}}"#
    )
    try expect(
      steps[0],
      is: #"{"@defer":"notExecuted","data":{"a":{"b":1,"@defer":{"L":"ready"}}},"extensions":{"x":1},"hasNext":false}"#)
  }

  @Test("What is announced and never completed is left to the reader at the end")
  func neverCompleted() throws {
    let steps = try merged(
      #"{"data":{"a":{}},"pending":[{"id":"0","path":["a"],"label":"L"}],"hasNext":true}"#, #"{"hasNext":false}"#)
    try expect(steps[1], is: #"{"@defer":"notExecuted","data":{"a":{}},"hasNext":false}"#)
  }

  @Test("Heartbeats bring nothing, and a new response begins after the last part", .asWritten)
  func heartbeatsAndNextResponse() throws {
    let first = #"{"data":{"a":1},"pending":[{"id":"0","path":[],"label":"L"}],"hasNext":true}"#
    let last = #"{"completed":[{"id":"0"}],"hasNext":false}"#
    let steps = try merged(#"{}"#, first, #"{"hasNext":true}"#, #"{}"#, last, first, last, #"{"data":{"z":1}}"#)
    #expect(steps.map { $0 == nil } == [true, false, true, true, false, false, false, false])
    #expect(steps[7] == #"{"data":{"z":1}}"#)
    #expect(steps[4] == steps[6])
  }

  @Test("Numbers, escapes and unusual names pass unchanged", .asWritten)
  func exactness() throws {
    let steps = try merged(
      #"{"data":{"n":1.0,"big":123456789012345678901234567890,"é\"\\":"\ud83d\ude00\n","a":{}},"pending":[{"id":7,"path":["a"],"label":"é\""}],"hasNext":true}"#,
      #"{"incremental":[{"id":7,"data":{"m":1e2}}],"completed":[{"id":7}],"hasNext":false}"#)
    let text = try #require(steps[1])
    for part in [#""n":1.0"#, "123456789012345678901234567890", #""é\"\\":"\ud83d\ude00\n""#, #""m":1e2"#] {
      #expect(text.contains(part))
    }
  }
}

@Suite("Parts of a response, form of 2022", .everyStyle) struct IncrementalResponse2022Tests {
  @Test("Fragments come with path and label; what has not come is pending, and at the end not executed")
  func fragments() throws {
    let steps = try merged(
      #"{"data":{"person":{"name":"Luke"}},"hasNext":true}"#,
      #"{"incremental":[{"path":["person"],"label":"home","data":{"homeworld":{"name":"Tatooine"}},"errors":[{"message":"e"}],"extensions":{"t":1}}],"hasNext":true}"#,
      #"{"hasNext":false}"#)
    try expect(steps[0], is: #"{"@defer":"pending","@stream":true,"data":{"person":{"name":"Luke"}},"hasNext":true}"#)
    let person = #"{"name":"Luke","homeworld":{"name":"Tatooine"},"@defer":{"home":"ready"}}"#
    try expect(
      steps[1],
      is:
        #"{"@defer":"pending","@stream":true,"data":{"person":\#(person)},"errors":[{"message":"e"}],"extensions":{"t":1},"hasNext":true}"#
    )
    try expect(
      steps[2],
      is:
        #"{"@defer":"notExecuted","data":{"person":\#(person)},"errors":[{"message":"e"}],"extensions":{"t":1},"hasNext":false}"#
    )
  }

  @Test("Streamed items have the index of the first one in their path")
  func streams() throws {
    let steps = try merged(
      #"{"data":{"person":{"films":[1]}},"hasNext":true}"#,
      #"{"incremental":[{"path":["person","films",1],"label":"s","items":[2,3]}],"hasNext":true}"#,
      #"{"incremental":[{"path":["person","films",3],"items":[4]}],"hasNext":false}"#)
    try expect(steps[2], is: #"{"@defer":"notExecuted","data":{"person":{"films":[1,2,3,4]}},"hasNext":false}"#)
  }

  @Test("A fragment that is null has failed with its errors")
  func failed() throws {
    let steps = try merged(
      #"{"data":{"person":{}},"hasNext":true}"#,
      #"{"incremental":[{"path":["person"],"label":"home","data":null,"errors":[{"message":"no home"}]}],"hasNext":false}"#
    )
    try expect(
      steps[1],
      is:
        #"{"@defer":"notExecuted","data":{"person":{"@defer":{"home":[{"message":"no home"}]}}},"errors":[{"message":"no home"}],"hasNext":false}"#
    )
  }

  @Test("Fragments that share fields bring them twice: objects are merged, and lists by element")
  func overlap() throws {
    let steps = try merged(
      #"{"data":{"a":{}},"hasNext":true}"#,
      #"{"incremental":[{"path":["a"],"label":"x","data":{"l":[{"p":1},{"p":2}],"o":{"q":1}}},{"path":["a"],"label":"y","data":{"l":[{"r":3},{"r":4}],"o":{"s":2}}}],"hasNext":false}"#
    )
    try expect(
      steps[1],
      is:
        #"{"@defer":"notExecuted","data":{"a":{"@defer":{"x":"ready","y":"ready"},"l":[{"p":1,"r":3},{"p":2,"r":4}],"o":{"q":1,"s":2}}},"hasNext":false}"#
    )
  }

  // Apollo iOS refuses such a part. Resolvers may give two answers to one question, and that is no reason to lose both.
  // (Apollo's library refuses it: cannotOverwriteFieldData. What the server says last is right.)
  @Test("A value that comes again and differs replaces the earlier one")
  func contradiction() throws {
    let steps = try merged(
      #"{"data":{"a":{"now":1}},"hasNext":true}"#,
      #"{"incremental":[{"path":["a"],"label":"x","data":{"now":2}}],"hasNext":false}"#)
    #expect(steps[1]?.contains(#""now":2"#) == true)
  }

  @Test("In the first form a part is the increment itself")
  func firstForm() throws {
    let steps = try merged(
      #"{"data":{"person":{"name":"Luke","films":[]}},"hasNext":true}"#,
      #"{"path":["person"],"label":"home","data":{"homeworld":1},"hasNext":true}"#,
      #"{"path":["person","films",0],"label":"films","data":{"title":"t"},"hasNext":false}"#)
    try expect(
      steps[2],
      is:
        #"{"@defer":"notExecuted","data":{"person":{"name":"Luke","films":[{"title":"t"}],"homeworld":1,"@defer":{"home":"ready"}}},"hasNext":false}"#
    )
  }
}

@Suite("Parts of a response that are wrong", .everyStyle) struct IncrementalResponseErrorTests {
  let first = #"{"data":{"a":{},"l":[]},"pending":[{"id":"0","path":["a"],"label":"L"}],"hasNext":true}"#

  @Test("A part that is not JSON is an error with the byte")
  func notJSON() throws {
    guard case .unreadablePart(let error) = failure(first, #"{"incremental":[}"#) else { return #expect(Bool(false)) }
    #expect(error.offset == 16)
    #expect(failure("[]")?.message == "A part of the response is malformed: it is not an object.")
  }

  @Test("An increment without a response, after the last part, or of something unknown is an error")
  func unexpected() throws {
    guard case .unexpectedPart = failure(#"{"incremental":[],"hasNext":true}"#) else { return #expect(Bool(false)) }
    guard case .unknownIdentifier("9") = failure(first, #"{"incremental":[{"id":"9","data":{}}],"hasNext":true}"#)
    else { return #expect(Bool(false)) }
    guard case .unknownIdentifier("0") = failure(first, #"{"completed":[{"id":"0"},{"id":"0"}],"hasNext":true}"#)
    else { return #expect(Bool(false)) }
  }

  @Test(
    "Each malformed member is named",
    arguments: [
      #"{"incremental":1,"hasNext":true}"#, #"{"incremental":[1],"hasNext":true}"#,
      #"{"pending":[{"id":"1"}],"hasNext":true}"#,
      #"{"pending":[{"id":{},"path":[]}],"hasNext":true}"#, #"{"pending":[{"id":"1","path":[1.5]}],"hasNext":true}"#,
      #"{"completed":[{}],"hasNext":true}"#, #"{"incremental":[{"data":{}}],"hasNext":true}"#,
      #"{"incremental":[{"path":["a"],"items":[1]}],"hasNext":true}"#,
      #"{"incremental":[{"path":["l",-1],"items":[1]}],"hasNext":true}"#,
    ])
  func malformed(part: String) {
    guard case .malformed(let what) = failure(first, part) else { return #expect(Bool(false), "\(part)") }
    #expect(!what.isEmpty)
  }

  @Test(
    "A place that the response does not have is an error with its path",
    arguments: [
      #"{"incremental":[{"path":["b"],"data":{}}],"hasNext":true}"#,
      #"{"incremental":[{"path":["a","x",0],"data":{}}],"hasNext":true}"#,
      #"{"incremental":[{"path":["l",4],"items":[1]}],"hasNext":true}"#,
      #"{"incremental":[{"path":["l",9223372036854775807],"data":{}}],"hasNext":true}"#,
      #"{"incremental":[{"id":"0","subPath":["zzz"],"data":{}}],"hasNext":true}"#,
      #"{"incremental":[{"id":"0","items":[1]}],"hasNext":true}"#,
    ])
  func noSuchPlace(part: String) {
    guard case .noSuchPlace(let path) = failure(first, part) else { return #expect(Bool(false), "\(part)") }
    #expect(!path.isEmpty)
  }

  @Test("A response that ends too early names what did not come")
  func truncated() {
    #expect(failure(first)?.message == "The response ended before its last part: 'L' did not come.")
    #expect(failure(#"{"data":{},"hasNext":true}"#)?.message == "The response ended before its last part.")
  }

  @Test("Every part cut off at every byte is an error or a response, and never a trap")
  func cutOff() {
    let parts = [
      first,
      #"{"incremental":[{"id":"0","subPath":[],"data":{"b":[1,{"c":"d"}]}}],"completed":[{"id":"0"}],"hasNext":false}"#,
    ]
    for (index, part) in parts.enumerated() {
      for length in 0..<part.utf8.count {
        var response = IncrementalResponse()
        for whole in parts[..<index] { _ = try? response.merge(ResponseBytes(Array(whole.utf8))) }
        #expect(throws: IncrementalResponse.DeliveryError.self) {
          _ = try response.merge(ResponseBytes(Array(part.utf8.prefix(length))))
        }
      }
    }
  }
}
