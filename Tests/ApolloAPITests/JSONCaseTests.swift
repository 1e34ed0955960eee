@testable import ApolloAPI
import GraphQLJSON
import JSONCases
import Testing

/// What reads responses agrees with `GraphQLJSON`, which has the same cases in its tests.
@Suite("JSON of responses")
struct JSONCaseTests {
  @Test("A text is the value that it should be, or is refused", arguments: JSONCase.all)
  func values(_ one: JSONCase) throws {
    // A dictionary of Swift has one place for two names that Unicode calls equivalent.
    guard !["object_key_nfc_nfd", "object_key_nfd_nfc"].contains(one.name) else { return }
    let value = try? ResponseReader.jsonValue(ResponseBytes(one.text))
    guard let expected = one.value else {
      #expect(value == nil)
      return
    }
    let actual = try #require(value)
    #expect(Self.isSame(actual, try JSONNode(parsing: expected.utf8)), "\(actual)")
  }

  @Test("A member that no field reads is checked as well", arguments: JSONCase.all)
  func passed(_ one: JSONCase) {
    // Inside of a response there is no byte order mark.
    guard !one.text.starts(with: [0xef, 0xbb, 0xbf]) else { return }
    let text = Array(#"{"data":{"unknown":"#.utf8) + one.text + Array("}}".utf8)
    let result = try? ResponseReader.read(Scalars.self, from: ResponseBytes(text))
    #expect((result?.data != nil) == (one.value != nil))
  }

  private static func isSame(_ value: JSONValue, _ node: JSONNode) -> Bool {
    switch node.value {
    case .null: return value is JSONNull
    case .boolean(let boolean): return value as? Bool == boolean
    case .string(let text): return (value as? String).map { $0.utf8.elementsEqual(text.utf8) } ?? false
    case .number(let digits):
      if let number = value as? JSONNumber { return number.description == digits }
      if let integer = value as? Int { return integer == Int(digits) || Double(integer) == Double(digits) }
      return value as? Double == Double(digits)
    case .array(let elements):
      guard let list = value as? [JSONValue], list.count == elements.count else { return false }
      return zip(list, elements).allSatisfy { isSame($0, $1) }
    case .object(let members):
      guard let object = value as? JSONObject, object.count == members.count else { return false }
      return members.allSatisfy { member in object[member.name].map { isSame($0, member.value) } ?? false }
    }
  }
}
