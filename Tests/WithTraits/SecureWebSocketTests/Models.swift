import Apollo

// Operations as the generator writes them.

struct Review: SelectionSet, Hashable {
  var __typename: String
  var id: String
  var stars: Int

  static let __fields = __FieldTable(version: 1, "__typename id!# stars")

  init(__reading object: inout __ObjectReader) throws(__ReadError) {
    __typename = try object.typename()
    id = try object.read(1)
    stars = try object.read(2)
  }

  func __writeFields(to writer: inout __JSONWriter) {
    writer.write(0, __typename)
    writer.write(1, id)
    writer.write(2, stars)
  }
}

struct ReviewAdded: GraphQLSubscription {
  static let operationName = "ReviewAdded"
  static let operationDocument = OperationDocument(
    "subscription ReviewAdded($episode: String) { reviewAdded(episode: $episode) { __typename id stars } }")

  var episode: GraphQLNullable<String> = .none

  func __writeVariables(to writer: inout __JSONWriter) { writer.write("episode", episode) }

  struct Data: SelectionSet, Hashable {
    var reviewAdded: Review?
    static let __fields = __FieldTable(version: 1, "reviewAdded(episode:$episode)")
    init(__reading object: inout __ObjectReader) throws(__ReadError) { reviewAdded = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, reviewAdded) }
  }
}

struct ReviewQuery: GraphQLQuery {
  static let operationName = "Review"
  static let operationDocument = OperationDocument("query Review { review { __typename id stars } }")

  struct Data: SelectionSet, Hashable {
    var review: Review?
    static let __fields = __FieldTable(version: 1, "review")
    init(__reading object: inout __ObjectReader) throws(__ReadError) { review = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, review) }
  }
}

struct RateMutation: GraphQLMutation {
  static let operationName = "Rate"
  static let operationDocument = OperationDocument("mutation Rate { rate { __typename id stars } }")

  struct Data: SelectionSet, Hashable {
    var rate: Review?
    static let __fields = __FieldTable(version: 1, "rate")
    init(__reading object: inout __ObjectReader) throws(__ReadError) { rate = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, rate) }
  }
}

/// The payload of a result.
func review(_ stars: Int, field: String = "reviewAdded", id: String = "1") -> String {
  #"{"data":{"\#(field)":{"__typename":"Review","id":"\#(id)","stars":\#(stars)}}}"#
}
