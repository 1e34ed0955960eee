@testable import ApolloAPI
import ApolloCache
import Fixture0060
import ResponseStyles
import Testing

@Suite("Any nulls and errors") struct NullPropertyTests {
  /// The names that a naive reader makes of users: `+` for a value, `-` for nil, `!` and the message for an error.
  private struct Naive {
    var lists: [String] = [], json: [String] = [], errors: [String] = []

    init(_ generator: inout some RandomNumberGenerator) {
      for index in 0..<Int.random(in: 0...6, using: &generator) {
        let object = #"{"__typename":"User","id":"\#(index)","name":"#
        switch Int.random(in: 0..<4, using: &generator) {
        case 0:
          lists.append("+n\(index)")
          json.append(object + "\"n\(index)\"}")
        case 1:
          lists.append("-")
          json.append("null")
        case 2:
          lists.append("!gone\(index)")
          json.append("null")
          errors.append("lists.\(index): gone\(index)")
        default:
          lists.append("!name\(index)")
          json.append(object + "null}")
          errors.append("lists.\(index).name: name\(index)")
        }
      }
      errors.shuffle(using: &generator)
    }
  }

  @Test("A list has for each element what a naive reader finds: a value, nothing, or the error", arguments: 0..<60)
  func lists(seed: UInt64) async throws {
    var generator = SplitMix(state: seed)
    let naive = Naive(&generator)
    let data = #"{"lists":[\#(naive.json.joined(separator: ","))],"names":[],"nulls":null,"matrix":null,"rows":null}"#
    try await NullCase(operation: Nulls.LevelsQuery(), data: data, errors: naive.errors).check {
      let found = try $0.lists.get()?.map { element -> String in
        switch element {
        case .success(let user): user.map { "+" + $0.name } ?? "-"
        case .failure(let error): "!" + (error.message ?? "")
        }
      }
      #expect(found == naive.lists)
    }
  }

  @Test("No change of one byte of a response can crash a reader that catches, or one that makes records")
  func changedBytes() throws {
    let friends =
      #""bestFriend":{"__typename":"User","id":"2","boss":{"__typename":"User","id":"4","name":null}},"boss":{"__typename":"User","id":"3","name":null}"#
    let levels =
      #"{"lists":[{"__typename":"User","id":"1","name":null},null],"names":["a",null],"nulls":[null],"matrix":[[1,null],null],"rows":[[null]]}"#
    var count = 0
    func change<Operation: GraphQLOperation>(_ operation: Operation, _ data: String, _ errors: String) throws {
      let bytes = Array("{\"data\":\(data),\"errors\":[\(errors)]}".utf8)
      for index in bytes.indices {
        for byte in Array("n\"}".utf8) {
          var changed = bytes
          changed[index] = byte
          for text in [changed, Array(bytes[..<index]), Array(bytes[..<index] + bytes[(index + 1)...])] {
            for key in [nil, Operation.operationType.rootKey] {
              _ = try? ResponseReader.read(
                Operation.Data.self, from: ResponseBytes(text), variables: operation.variables, rootKey: key)
            }
            count += 1
          }
        }
      }
    }
    let error =
      #"{"message":"e","path":["user","boss","name"]},{"message":"f","path":["user","bestFriend","boss","name"]}"#
    try change(Nulls.NestedQuery(), user(friends), error)
    try change(Nulls.LevelsQuery(), levels, #"{"path":["lists",0,"name"]},{"path":["rows",0,0]},{"path":["names",1]}"#)
    try change(
      Nulls.DatesQuery(), #"{"user":{"__typename":"User","id":"1","birthday":null,"name":null},"when":null}"#,
      #"{"path":["user","birthday"]}"#)
    #expect(count > 3_000)
  }

  @Test("Errors with long paths, and many of them, take no more time than their text is long") func manyErrors() throws
  {
    let path = (0..<400).map { _ in "\"a\"" }.joined(separator: ",")
    let errors = (0..<100).map { #"{"message":"\#($0)","path":["user",\#($0),\#(path)]}"# }.joined(separator: ",")
    let found = ErrorsByPath(
      try #require(
        try ResponseReader.read(
          Nulls.PlainQuery.Data.self, from: ResponseBytes(#"{"data":null,"errors":[\#(errors)]}"#.utf8)
        ).errors))
    #expect(found.error(at: ["user"])?.message == "0")
    #expect(found.error(at: ["user", 99, "a", "a"])?.message == "99")
    #expect(found.error(at: ["user", 100]) == nil && found.error(at: ["a"]) == nil)
  }
}
