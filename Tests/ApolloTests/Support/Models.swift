import Apollo

// Operations as the generator writes them.

struct Hero: SelectionSet, Hashable {
  var __typename: String
  var id: String
  var name: String
  var height: Double?

  static let __fields = __FieldTable(version: 3, "__typename id!# name height ^Character")

  init(__reading object: inout __ObjectReader) throws(__ReadError) {
    __typename = try object.typename()
    id = try object.read(1)
    name = try object.read(2)
    height = try object.read(3)
  }

  func __writeFields(to writer: inout __JSONWriter) {
    writer.write(0, __typename)
    writer.write(1, id)
    writer.write(2, name)
    writer.write(3, height)
  }
}

struct HeroQuery: GraphQLQuery {
  static let operationName = "Hero"
  static let operationDocument = OperationDocument(
    "query Hero($episode: String) { hero(episode: $episode) { __typename id name height } }")

  var episode: GraphQLNullable<String> = .none

  func __writeVariables(to writer: inout __JSONWriter) { writer.write("episode", episode) }

  struct Data: SelectionSet, Hashable {
    var hero: Hero?
    static let __fields = __FieldTable(version: 1, "hero(episode:$episode)")
    init(__reading object: inout __ObjectReader) throws(__ReadError) { hero = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, hero) }
  }
}

struct RenameMutation: GraphQLMutation {
  static let operationName = "Rename"
  static let operationDocument = OperationDocument("mutation Rename { rename { __typename id name height } }")

  struct Data: SelectionSet, Hashable {
    var rename: Hero
    static let __fields = __FieldTable(version: 1, "rename")
    init(__reading object: inout __ObjectReader) throws(__ReadError) { rename = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, rename) }
  }
}

func hero(_ name: String = "R2-D2", field: String = "hero", id: String = "2001") -> String {
  #"{"data":{"\#(field)":{"__typename":"Droid","id":"\#(id)","name":"\#(name)","height":0.96}}}"#
}
