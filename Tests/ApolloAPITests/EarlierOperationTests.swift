@testable import ApolloAPI
import Testing

// Operations and configurations that were written by hand for Apollo iOS 1.

private final class HandWrittenQuery: GraphQLQuery {
  static let operationName = "Mine"
  static let operationDocument: ApolloAPI.OperationDocument = .init(
    definition: .init("query Mine($text: String, $first: Int) { hero { __typename } }"))

  typealias Data = HeroQuery.Data

  let text: String
  let first: GraphQLNullable<Int>

  init(text: String, first: GraphQLNullable<Int> = nil) {
    self.text = text
    self.first = first
  }

  var __variables: Variables? { ["text": text, "first": first] }
}

private struct HandWrittenMutation: LocalCacheMutation {
  static let operationType = GraphQLOperationType.query
  typealias Data = HeroQuery.Data
  var text: String
  var __variables: GraphQLOperation.Variables? { ["text": text] }
}

/// The requirement of Apollo iOS 1.0 and 1.1.
private enum EarliestConfiguration: SchemaConfiguration {
  static func cacheKeyInfo(for type: Object, object: JSONObject) -> CacheKeyInfo? {
    guard let tags = object["tags"] as? [JSONValue], tags.count == 2, tags[0] as? String == "a" else { return nil }
    guard tags[1] is JSONNull, object["owner"] is JSONNull else { return nil }
    guard let details = object["details"] as? JSONObject, details["born"] as? Int == 7 else { return nil }
    return object["__typename"] as? String == "Hero" ? try? CacheKeyInfo(jsonValue: object["id"]) : nil
  }
}

/// It makes a key only of objects in which another one, with a key of its own, and a list of those cannot be seen.
private enum AuthorConfiguration: SchemaConfiguration {
  static func cacheKeyInfo(for type: Object, object: JSONObject) -> CacheKeyInfo? {
    object["author"] == nil && object["readers"] == nil ? try? CacheKeyInfo(jsonValue: object["id"]) : nil
  }
}

/// The examples of the pages of Apollo iOS 1.2 to 2.
private enum LookingConfiguration: SchemaConfiguration {
  static func cacheKeyInfo(for type: Object, object: ObjectData) -> CacheKeyInfo? {
    guard let details: ObjectData = object["details"], details["born"] as? Int == 7 else { return nil }
    let tags: ListData? = object["tags"]
    guard tags?.count == 2, let first = object["tags"]?[0] as? String, tags?[2] == nil else { return nil }
    guard tags?[1] == nil, object["owner"] == nil else { return nil }
    guard object["details"]?["names"]?[0] as? String == "n" else { return nil }
    guard let id = object["id"] as? String else { return nil }
    return CacheKeyInfo(id: id + first)
  }
}

/// As apps of Apollo iOS 1.2 to 2 have it: of two keys, a field that may be null tells which one.
private enum OwnedConfiguration: SchemaConfiguration {
  static func cacheKeyInfo(for type: Object, object: ObjectData) -> CacheKeyInfo? {
    guard let id = object["id"] else { return nil }
    guard let owner = object["owner"] else { return try? CacheKeyInfo(jsonValue: id) }
    return CacheKeyInfo(id: "\(id).\(owner)")
  }
}

private struct TestSchema<Configuration: SchemaConfiguration>: SchemaMetadata {
  static var configuration: any SchemaConfiguration.Type { Configuration.self }
  static func objectType(forTypename typename: String) -> Object? { nil }
}

private enum NoConfiguration: SchemaConfiguration {}

@Suite("Operations and configurations of earlier releases") struct EarlierOperationTests {
  @Test("The variables that an operation gives as values are sent, and tell operations apart")
  func variables() {
    #expect(HandWrittenQuery(text: "a").variables == ["text": "a"])
    #expect(HandWrittenQuery(text: "a", first: 2).variables == ["first": 2, "text": "a"])
    #expect(HandWrittenQuery(text: "a") == HandWrittenQuery(text: "a"))
    #expect(HandWrittenQuery(text: "a") != HandWrittenQuery(text: "b"))
    #expect(Set([HandWrittenQuery(text: "a"), HandWrittenQuery(text: "b")]).count == 2)
    #expect(HandWrittenMutation(text: "a").variables == ["text": "a"])
    let variables = HandWrittenQuery(text: "a", first: 2).variables
    #expect(variables["first"].map { String(decoding: $0, as: UTF8.self) } == "2")
  }

  @Test("Variables that have no form in JSON are an error, as those of generated code are")
  func unwritable() {
    struct Query: GraphQLQuery {
      static let operationName = "Mine"
      static let operationDocument = OperationDocument("query Mine { hero { __typename } }")
      typealias Data = HeroQuery.Data
      var __variables: Variables? { ["ratio": Double.infinity] }
    }
    #expect(Query().variables.failure != nil)
  }

  @Test("Generated operations give their variables as JSON")
  func generated() {
    func first(_ query: some GraphQLQuery) -> Int? { query.__variables?["first"] as? Int }
    #expect(HeroQuery().__variables?["first"] as? Int == 2 && first(HeroQuery()) == 2)
  }

  @Test("A Double of variables is one in their JSON, and the JSON is complete for variables as deep as a response")
  func wholeNumbers() {
    struct Query: GraphQLQuery {
      static let operationName = "Mine"
      static let operationDocument = OperationDocument("query Mine { hero { __typename } }")
      typealias Data = HeroQuery.Data
      let radius = 5.0
      let deep: JSONScalar
      func __writeVariables(to writer: inout __JSONWriter) {
        writer.write("radius", radius)
        writer.write("deep", deep)
      }
    }
    let deep = (0..<600).reduce(JSONScalar.null) { inner, _ in .array([inner]) }
    let variables = Query(deep: deep).__variables
    #expect(variables?["radius"] as? Double == 5 && variables?["deep"] != nil)
    let radii: [Double] = [5]
    let json = radii._jsonEncodableValue?._jsonValue as? [JSONValue]
    #expect(json?.first as? Double == 5)
  }

  private func key(_ configuration: (some SchemaConfiguration).Type) -> String? {
    func schema<C: SchemaConfiguration>(_: C.Type) -> any SchemaMetadata.Type { TestSchema<C>.self }
    func record(_ fields: [(FieldKey, RecordValue)]) -> ObjectRecord {
      let record = ObjectRecord.make(type: .unknown, capacity: fields.count)
      for (key, value) in fields { record.append(ObjectRecord.Field(key, value)) }
      return record
    }
    let details = record([(.forName("born"), .int(7)), (.forName("names"), .list([.string("n")]))])
    let hero = record([
      (.typename, .string("Hero")), (.forName("id"), .string("1")), (.forName("details"), .object(details)),
      (.forName("tags"), .list([.string("a"), .null])), (.forName("author"), .reference(0)),
      (.forName("readers"), .references([0])), (.forName("owner"), .null),
    ])
    var identity = ObjectIdentity(schema: schema(configuration))
    return identity.configuredKey(of: hero)
  }

  @Test("A configuration is asked in its own form, in which a null is nil, or in the first releases a value")
  func configurations() {
    #expect(key(EarliestConfiguration.self) == "Hero:1")
    #expect(key(AuthorConfiguration.self) == "Hero:1")
    #expect(key(LookingConfiguration.self) == "Hero:1a")
    #expect(key(OwnedConfiguration.self) == "Hero:1")
    #expect(key(NoConfiguration.self) == nil)
  }

  @Test("An object that a test makes of JSON is looked into as one of a response")
  func ownObject() {
    let details: JSONObject = ["born": 7, "names": ["n"]]
    let object = ObjectData([
      "__typename": "Hero", "id": "1", "details": details, "tags": ["a", JSONNull()] as [JSONValue], "height": Int32(2),
      "mass": 1.5, "isJedi": true, "owner": JSONNull(), "unwritten": Object(typename: "Hero"),
    ])
    #expect(LookingConfiguration.cacheKeyInfo(for: Object(typename: "Hero"), object: object)?.id == "1a")
    #expect(object.typename == "Hero" && object["__typename"] as? String == "Hero")
    #expect(object["height"] as? Int == 2 && object["mass"] as? Double == 1.5 && object["isJedi"] as? Bool == true)
    #expect(object["unwritten"] as JSONValue? == nil && object["missing"] as JSONValue? == nil)
    #expect(EarliestConfiguration.cacheKeyInfo(for: Object(typename: "Hero"), object: object)?.id == "1")
  }

  @Test("Arguments of a field are looked into by the type that is asked for, and nulls in them are nil")
  func arguments() {
    let input: JSONObject = ["names": ["a", "b", JSONNull()] as [JSONValue]]
    let data = FieldPolicy.InputData(arguments: ["input": input, "id": 1, "after": JSONNull()])
    guard let hero: FieldPolicy.InputData = data["input"], let names: FieldPolicy.InputListData = hero["names"] else {
      Issue.record("There is an input object with a list.")
      return
    }
    #expect(names.count == 3 && names[1] as? String == "b")
    #expect(names[2] as JSONValue? == nil && names[3] as JSONValue? == nil)
    #expect(data["input"]?["names"]?[0] as? String == "a" && data["id"] as? Int == 1)
    #expect(data["after"] as JSONValue? == nil && data.arguments["after"] is JSONNull)
    let none: FieldPolicy.InputListData? = data["id"]
    #expect(none == nil)
  }
}
