import GraphQLExecution
import Testing

@Suite("GraphQLValue")
struct ValueTests {
  @Test("Objects are equal whatever the order of their members, numbers whatever their kind")
  func equality() {
    #expect(["a": 1, "b": [2.0]] as GraphQLValue == ["b": [2], "a": 1.0])
    #expect(["a": nil] as GraphQLValue != [:])
    #expect(1 as GraphQLValue != "1")
  }

  @Test("Opaque values are equal when they are one instance, or Equatable and equal")
  func opaqueEquality() {
    final class Instance: Sendable {}
    struct Plain: Sendable {}
    let instance = Instance()
    #expect(GraphQLValue.opaque(instance) == .opaque(instance))
    #expect(GraphQLValue.opaque(instance) != .opaque(Instance()))
    #expect(GraphQLValue.opaque(1) == .opaque(1))
    #expect(GraphQLValue.opaque(1) != .opaque("1"))
    #expect(GraphQLValue.opaque(Plain()) != .opaque(Plain()))
  }

  @Test("Looking inside a value of another kind gives nil")
  func access() {
    let value: GraphQLValue = ["list": [true, "x"], "number": 2]
    #expect(value["list"]?[0]?.bool == true)
    #expect(value["list"]?[1]?.string == "x")
    #expect(value["list"]?[2] == nil)
    #expect(value["list"]?["x"] == nil)
    #expect(value["number"]?.double == 2)
    #expect(value["number"]?.string == nil)
    #expect(value[0] == nil)
  }

  @Test("Setting a member of a value that is not an object makes it one")
  func settingMembers() {
    var value: GraphQLValue = nil
    value["a"] = 1
    value["b"] = nil
    #expect(value == ["a": 1])
  }

  @Test("Descriptions read like literals, shortened where they are long or deep")
  func descriptions() {
    let value: GraphQLValue = ["s": "a\"b", "n": 1.5, "none": nil, "deep": [["x": [[1]]]], "empty": [[], [:]]]
    #expect(value.description == #"{ s: "a\"b", n: 1.5, none: null, deep: [{ x: [Array] }], empty: [[], {}] }"#)
    #expect(GraphQLValue.list((0..<12).map { .int($0) }).description.hasSuffix("8, 9, ... 2 more items]"))
  }
}
