@testable import ApolloAPI
import StyledTests

// Selection sets as the generator writes them, for:
//
//   query Hero($first: Int! = 2, $full: Boolean! = false) {
//     hero {
//       id name height @include(if: $full) appearsIn grid friends(first: $first) { id name }
//       ...Card
//       ... on Droid { primaryFunction friends(first: $first) { id episode: name } }
//     }
//   }

enum Episode: String, EnumType {
  case newHope = "NEWHOPE", empire = "EMPIRE"
}

enum PossibleTypes {
  static let droid = __TypeSet("Droid")
}

struct HeroQuery: GraphQLQuery {
  static let operationName = "Hero"
  static let operationDocument = OperationDocument("query Hero { hero { __typename } }")

  var first: Int = 2
  var full: Bool = false

  func __writeVariables(to writer: inout __JSONWriter) {
    writer.write("first", first)
    writer.write("full", full)
  }

  struct Data: SelectionSet, Hashable {
    var hero: Hero?

    static let __fields = __FieldTable(version: 1, "hero")

    init(hero: Hero?) { self.hero = hero }
    init(__reading object: inout __ObjectReader) throws(__ReadError) { hero = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, hero) }
  }

  struct Hero: SelectionSet, Hashable {
    var __typename: String
    var id: String
    var name: String
    var height: Double?
    var appearsIn: [GraphQLEnum<Episode>]
    var grid: [[Int?]]
    var friends: [Friend?]?
    var card: Card
    @__Indirect var asDroid: AsDroid?

    static let __fields = __FieldTable(
      version: 1, "__typename id!# name height appearsIn grid friends(first:$first) ... ?$full")

    init(__reading object: inout __ObjectReader) throws(__ReadError) {
      __typename = try object.typename()
      id = try object.read(1)
      name = try object.read(2)
      height = try object.includes(0) ? object.read(3) as Double : nil
      appearsIn = try object.read(4)
      grid = try object.read(5)
      friends = try object.read(6)
      card = try object.fragment()
      asDroid = try object.isType(PossibleTypes.droid) ? AsDroid(__reading: &object, id: id, name: name) : nil
    }

    func __writeFields(to writer: inout __JSONWriter) {
      writer.write(0, __typename)
      writer.write(1, id)
      writer.write(2, name)
      if let height { writer.write(3, height) }
      writer.write(4, appearsIn)
      writer.write(5, grid)
      writer.write(6, friends)
      writer.write(fragment: card)
      writer.write(fragment: asDroid)
    }

    struct Friend: SelectionSet, Hashable {
      var __typename: String
      var id: String
      var name: String

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

    struct AsDroid: InlineFragment, Hashable {
      var id: String
      var name: String
      var primaryFunction: String?
      var friends: [Friend?]?

      static let __fields = __FieldTable(version: 1, "__typename id!# primaryFunction friends(first:$first)")

      init(__reading object: inout __ObjectReader, id: String, name: String) throws(__ReadError) {
        self.id = id
        self.name = name
        let outer = object.enter(Self.__fields)
        primaryFunction = try object.read(2)
        friends = try object.read(3)
        object.leave(outer)
      }

      func __writeFields(to writer: inout __JSONWriter) {
        writer.write(2, primaryFunction)
        writer.write(3, friends)
      }

      struct Friend: SelectionSet, Hashable {
        var __typename: String
        var id: String
        var episode: String

        static let __fields = __FieldTable(version: 1, "__typename id!# episode:name")

        init(__reading object: inout __ObjectReader) throws(__ReadError) {
          __typename = try object.typename()
          id = try object.read(1)
          episode = try object.read(2)
        }

        func __writeFields(to writer: inout __JSONWriter) {
          writer.write(0, __typename)
          writer.write(1, id)
          writer.write(2, episode)
        }
      }
    }
  }
}

struct Card: Fragment, Hashable {
  static let fragmentDefinition: StaticString = "fragment Card on Character { name size { meters } }"

  var name: String
  var size: Size?

  static let __fields = __FieldTable(version: 1, "__typename id!# name size")

  init(__reading object: inout __ObjectReader) throws(__ReadError) {
    name = try object.read(2)
    size = try object.read(3)
  }

  func __writeFields(to writer: inout __JSONWriter) {
    writer.write(2, name)
    writer.write(3, size)
  }

  struct Size: SelectionSet, Hashable {
    var __typename: String { "Size" }
    var meters: Double

    static let __fields = __FieldTable(version: 1, "__typename meters")

    init(__reading object: inout __ObjectReader) throws(__ReadError) { meters = try object.read(1) }

    func __writeFields(to writer: inout __JSONWriter) {
      writer.write(0, __typename)
      writer.write(1, meters)
    }
  }
}

/// One field of each built-in type.
struct Scalars: SelectionSet, Hashable {
  var string: String?
  var int: Int?
  var float: Double?
  var boolean: Bool?
  var id: ID?

  static let __fields = __FieldTable(version: 1, "string int float boolean id#")

  init(__reading object: inout __ObjectReader) throws(__ReadError) {
    string = try object.read(0)
    int = try object.read(1)
    float = try object.read(2)
    boolean = try object.read(3)
    id = try object.read(4)
  }

  func __writeFields(to writer: inout __JSONWriter) {
    writer.write(0, string)
    writer.write(1, int)
    writer.write(2, float)
    writer.write(3, boolean)
    writer.write(4, id)
  }
}

extension ResponseReader {
  /// Reads `{"data": <json>}`.
  static func data<T: SelectionSet>(
    _ type: T.Type, _ json: String, _ variables: Variables = .none
  ) throws(ResponseDecodingError) -> T {
    let contents = try read(type, from: ResponseBytes(Array(#"{"data":\#(json)}"#.restyled.utf8)), variables: variables)
    guard let data = contents.data else { throw try ResponseReader.failure(#"{"data":\#(json)}"#) }
    return data
  }

  private static func failure(_ text: String) throws(ResponseDecodingError) -> ResponseDecodingError {
    _ = try jsonValue(ResponseBytes(("no data in " + text).utf8))
    return try failure(text)
  }
}

let droid = """
  {"hero":{"__typename":"Droid","id":"2001","name":"R2-D2","appearsIn":["NEWHOPE","JEDI"],"grid":[[1,null],[]],\
  "friends":[{"__typename":"Human","id":"1000","name":"Luke Skywalker","episode":"Luke"},null],\
  "size":{"__typename":"Size","meters":0.96},"primaryFunction":"Astromech"}}
  """
