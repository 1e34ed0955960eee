import Apollo

// Operations of the checks, as the generator writes them.

protocol HeroData: SelectionSet {
  var hero: HeroQuery.Hero? { get }
}

enum HeroSchema: SchemaMetadata {
  static let configuration: any SchemaConfiguration.Type = HeroConfiguration.self

  static func objectType(forTypename typename: String) -> Object? {
    typename == "Droid" || typename == "Human" ? Object(typename: typename, keyFields: ["id"]) : nil
  }
}

/// Humans have a key that only this tells; droids one by their key fields.
enum HeroConfiguration: SchemaConfiguration {
  static func cacheKeyInfo(for type: Object, object: ObjectData) -> CacheKeyInfo? {
    guard type.typename == "Human" else { return nil }
    return (object["id"] as? String).map { CacheKeyInfo(id: $0, uniqueKeyGroup: "Person") }
  }
}

struct HeroQuery: GraphQLQuery {
  static let operationName = "Hero"
  static let operationDocument = OperationDocument("query Hero { hero { __typename id name } }")

  struct Data: HeroData {
    var hero: Hero?

    static let __fields = __FieldTable(version: 1, "hero")
    static var schema: (any SchemaMetadata.Type)? { HeroSchema.self }

    init(__reading object: inout __ObjectReader) throws(__ReadError) { hero = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, hero) }
  }

  struct Hero: SelectionSet {
    var __typename: String
    var id: String
    var name: String?

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

struct RenameMutation: GraphQLMutation {
  static let operationName = "Rename"
  static let operationDocument = OperationDocument("mutation Rename { hero { __typename id name } }")
  typealias Data = HeroQuery.Data
}

struct HeroChangedSubscription: GraphQLSubscription {
  static let operationName = "HeroChanged"
  static let operationDocument = OperationDocument("subscription HeroChanged { hero { __typename id name } }")
  typealias Data = HeroQuery.Data
}

/// The name of the hero comes later.
struct DeferredHeroQuery: GraphQLQuery {
  static let operationName = "DeferredHero"
  static let operationDocument = OperationDocument(
    "query DeferredHero { hero { __typename id ... @defer { name } } }")
  static let hasDeferredFragments = true
  typealias Data = HeroQuery.Data
}

enum Responses {
  static func hero(_ name: String = "R2-D2", type: String = "Droid", id: String = "2001") -> String {
    #"{"data":{"hero":{"__typename":"\#(type)","id":"\#(id)","name":"\#(name)"}}}"#
  }

  /// A hero without a name, because of an error.
  static func unnamed(path: Bool) -> String {
    let error = #"{"message":"no name"\#(path ? #","path":["hero","name"]"# : "")}"#
    return #"{"data":{"hero":{"__typename":"Droid","id":"2001","name":null}},"errors":[\#(error)]}"#
  }

  static let refused = #"{"errors":[{"message":"who?","extensions":{"code":"UNAUTHENTICATED"}}]}"#
  static let nothing = #"{"data":null,"errors":[{"message":"nothing at all"}]}"#
}
