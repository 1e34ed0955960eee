@testable import ApolloAPI

// Selection sets with schema configurations and field policies, as the generator writes them.

/// The configuration of the running test.
enum Configured {
  typealias CacheKeyInfoFunction = @Sendable (Object, ObjectData) -> CacheKeyInfo?
  @TaskLocal static var current: CacheKeyInfoFunction?
}

enum TestConfiguration: SchemaConfiguration, FieldPolicy.Provider {
  static func cacheKeyInfo(for type: Object, object: ObjectData) -> CacheKeyInfo? {
    Configured.current?(type, object)
  }

  static func cacheKey(for field: FieldPolicy.Field, inputData: FieldPolicy.InputData, path: [PathComponent])
    -> CacheKeyInfo?
  {
    // Without a group, the type of the field counts.
    let group = inputData["group"] as? String
    return field.name == "friend" ? try? CacheKeyInfo(jsonValue: inputData["id"], uniqueKeyGroup: group) : nil
  }

  static func cacheKeyList(for field: FieldPolicy.Field, inputData: FieldPolicy.InputData, path: [PathComponent])
    -> [CacheKeyInfo]?
  {
    guard field.name == "friends", let ids = inputData["ids"] as? [any Sendable] else { return nil }
    return ids.compactMap { try? CacheKeyInfo(jsonValue: $0) }
  }
}

enum TestSchema: SchemaMetadata {
  static let configuration: any SchemaConfiguration.Type = TestConfiguration.self

  static func objectType(forTypename typename: String) -> Object? {
    guard typename == "Droid" || typename == "Human" else { return nil }
    let character = Interface(name: "Character", keyFields: ["id"], implementingObjects: ["Droid", "Human"])
    return Object(typename: typename, implementedInterfaces: [character], keyFields: ["id"])
  }
}

/// `{ hero { id name } }`
struct ConfiguredQuery: GraphQLQuery {
  static let operationName = "Configured"
  static let operationDocument = OperationDocument("query Configured { hero { __typename id name } }")

  struct Data: SelectionSet, Hashable {
    var hero: Hero?

    static let __fields = __FieldTable(version: 1, "hero")
    static var schema: (any SchemaMetadata.Type)? { TestSchema.self }

    init(__reading object: inout __ObjectReader) throws(__ReadError) { hero = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, hero) }
  }

  struct Hero: SelectionSet, Hashable {
    var __typename: String
    var id: String
    var name: JSONScalar

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

/// Any scalar.
struct JSONScalar: CustomScalarType, Hashable {
  var text: String
  init(_jsonValue value: JSONValue) throws { text = "\(value)" }
  var _jsonValue: JSONValue { text }
}

/// `{ droid(id: $id) { id name } }`, by `@fieldPolicy(forField: "droid", keyArgs: "id")`
struct DroidQuery: GraphQLQuery {
  static let operationName = "Droid"
  static let operationDocument = OperationDocument("query Droid { droid { __typename } }")

  var id: GraphQLNullable<String>

  func __writeVariables(to writer: inout __JSONWriter) { writer.write("id", id) }

  struct Data: SelectionSet, Hashable {
    var droid: Character.Friend?

    static let __fields = __FieldTable(version: 1, "droid(id:$id)@id:Droid")

    init(__reading object: inout __ObjectReader) throws(__ReadError) { droid = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, droid) }
  }
}

/// `{ droid(id: $id, size: $size) { id name } }`, by `@fieldPolicy(forField: "droid", keyArgs: "id")`
struct SizedDroidQuery: GraphQLQuery {
  static let operationName = "SizedDroid"
  static let operationDocument = OperationDocument("query SizedDroid { droid { __typename } }")

  var id: GraphQLNullable<String>
  var size: Int

  func __writeVariables(to writer: inout __JSONWriter) {
    writer.write("id", id)
    writer.write("size", size)
  }

  struct Data: SelectionSet, Hashable {
    var droid: Character.Friend?

    static let __fields = __FieldTable(version: 1, "droid(id:$id,size:$size)@id:Droid")

    init(__reading object: inout __ObjectReader) throws(__ReadError) { droid = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, droid) }
  }
}

/// `{ friend(id: $id, group: $group) { id name } friends(ids: [$id, "2"]) { id name } }`, by the configuration's provider
struct ProviderQuery: GraphQLQuery {
  static let operationName = "Provider"
  static let operationDocument = OperationDocument("query Provider { friend { __typename } }")

  var id: String
  var group: String?

  func __writeVariables(to writer: inout __JSONWriter) {
    writer.write("id", id)
    writer.write("group", group)
  }

  struct Data: SelectionSet, Hashable {
    var friend: Character.Friend?
    var friends: [Character.Friend]

    static let __fields = __FieldTable(#"friend(group:$group,id:$id)@:Droid friends(ids:[$id,"2"])@:Droid"#)
    static var schema: (any SchemaMetadata.Type)? { TestSchema.self }

    init(__reading object: inout __ObjectReader) throws(__ReadError) {
      friend = try object.read(0)
      friends = try object.read(1)
    }

    func __writeFields(to writer: inout __JSONWriter) {
      writer.write(0, friend)
      writer.write(1, friends)
    }
  }
}

/// `{ heroes(names: $names, isJedi: $isJedi) { name isJedi } }`, by `@fieldPolicy(forField: "heroes", keyArgs: "names isJedi")`
struct HeroesQuery: GraphQLQuery {
  static let operationName = "Heroes"
  static let operationDocument = OperationDocument("query Heroes { heroes { __typename } }")

  var names: [String?]
  var isJedi: Bool

  func __writeVariables(to writer: inout __JSONWriter) {
    writer.write("names", names)
    writer.write("isJedi", isJedi)
  }

  struct Data: SelectionSet, Hashable {
    var heroes: [Jedi?]?

    static let __fields = __FieldTable(version: 1, "heroes(isJedi:$isJedi,names:$names)@names,isJedi:Villain|Hero")

    init(__reading object: inout __ObjectReader) throws(__ReadError) { heroes = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, heroes) }
  }
}

/// `{ all { name isJedi } nested(input: {name: "Luke", isJedi: true}) { name isJedi } }`
struct JediQuery: GraphQLQuery {
  static let operationName = "Jedi"
  static let operationDocument = OperationDocument("query Jedi { all { __typename } }")

  struct Data: SelectionSet, Hashable {
    var all: [Jedi]

    static let __fields = __FieldTable(version: 1, "all")

    init(__reading object: inout __ObjectReader) throws(__ReadError) { all = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, all) }
  }
}

/// `{ nested(input: {isJedi: true, name: $name}) { name isJedi } }`, by `@fieldPolicy(forField: "nested", keyArgs: "input.name input.isJedi")`
struct NestedArgumentQuery: GraphQLQuery {
  static let operationName = "Nested"
  static let operationDocument = OperationDocument("query Nested { nested { __typename } }")

  var name: String

  func __writeVariables(to writer: inout __JSONWriter) { writer.write("name", name) }

  struct Data: SelectionSet, Hashable {
    var nested: Jedi?

    static let __fields = __FieldTable(#"nested(input:{"isJedi":true,"name":$name})@input.name,input.isJedi:Hero"#)

    init(__reading object: inout __ObjectReader) throws(__ReadError) { nested = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, nested) }
  }
}

/// `@typePolicy(keyFields: "name isJedi")`
struct Jedi: SelectionSet, Hashable {
  var name: String
  var isJedi: Bool

  static let __fields = __FieldTable(version: 1, "__typename name! isJedi!")

  init(__reading object: inout __ObjectReader) throws(__ReadError) {
    name = try object.read(1)
    isJedi = try object.read(2)
  }

  func __writeFields(to writer: inout __JSONWriter) {
    writer.write(0, "Hero")
    writer.write(1, name)
    writer.write(2, isJedi)
  }
}
