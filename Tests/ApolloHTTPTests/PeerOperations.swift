import Apollo

// Operations for the servers of other projects, whose schema they share. Their data is Codable, which is short to write
// by hand; the first one is as the generator writes it.

struct PeerHeroQuery: GraphQLQuery {
  static let operationName = "Hero"
  static let operationDocument = OperationDocument("query Hero { hero { __typename id name } }")

  struct Hero: SelectionSet, Hashable {
    var id: String
    var name: String
    static let __fields = __FieldTable(version: 1, "__typename id!# name")
    init(__reading object: inout __ObjectReader) throws(__ReadError) {
      _ = try object.typename()
      id = try object.read(1)
      name = try object.read(2)
    }
    func __writeFields(to writer: inout __JSONWriter) {
      writer.write(1, id)
      writer.write(2, name)
    }
  }

  struct Data: SelectionSet, Hashable {
    var hero: Hero?
    static let __fields = __FieldTable(version: 1, "hero")
    init(__reading object: inout __ObjectReader) throws(__ReadError) { hero = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, hero) }
  }
}

struct Named: Codable { var name: String }

struct PeerSearchQuery: GraphQLQuery {
  static let operationName = "Search"
  static let operationDocument = OperationDocument(
    "query Search($text: String!) { search(text: $text) { ... on Human { name } ... on Droid { name } ... on Starship { name } } }"
  )
  struct Data: CodableSelectionSet { var search: [Named] }
  var text: String
  func __writeVariables(to writer: inout __JSONWriter) { writer.write("text", text) }
}

struct BoomQuery: GraphQLQuery {
  static let operationName = "Boom"
  static let operationDocument = OperationDocument("query Boom { boom }")
  struct Data: CodableSelectionSet { var boom: String? }
}

struct BoomNonNullQuery: GraphQLQuery {
  static let operationName = "BoomNonNull"
  static let operationDocument = OperationDocument("query BoomNonNull { boomNonNull }")
  struct Data: CodableSelectionSet { var boomNonNull: String }
}

struct InvalidQuery: GraphQLQuery {
  static let operationName = "Invalid"
  static let operationDocument = OperationDocument("query Invalid { nope }")
  struct Data: CodableSelectionSet { var nope: String }
}

struct FileInfo: Codable {
  var name: String
  var size: Int
  var contentType: String?
  var text: String?
}

struct UploadFileMutation: GraphQLMutation {
  static let operationName = "UploadFile"
  static let operationDocument = OperationDocument(
    "mutation UploadFile($file: Upload!) { uploadFile(file: $file) { name size contentType text } }")
  struct Data: CodableSelectionSet { var uploadFile: FileInfo }
  func __writeVariables(to writer: inout __JSONWriter) { writer.write("file", GraphQLNullable<String>.null) }
}

struct UploadListMutation: GraphQLMutation {
  static let operationName = "UploadFiles"
  static let operationDocument = OperationDocument(
    "mutation UploadFiles($files: [Upload!]!) { uploadFiles(files: $files) { name size } }")
  struct Data: CodableSelectionSet { var uploadFiles: [FileInfo] }
  func __writeVariables(to writer: inout __JSONWriter) { writer.write("files", ["b.bin", "large.txt"]) }
}

struct CountdownSubscription: GraphQLSubscription {
  static let operationName = "Countdown"
  static let operationDocument = OperationDocument(
    "subscription Countdown($from: Int!) { countdown(from: $from, ms: 20) }")
  struct Data: CodableSelectionSet { var countdown: Int }
  var from = 3
  func __writeVariables(to writer: inout __JSONWriter) { writer.write("from", from) }
}

struct FailingSubscription: GraphQLSubscription {
  static let operationName = "Failing"
  static let operationDocument = OperationDocument("subscription Failing { failAfter(n: 1) }")
  struct Data: CodableSelectionSet { var failAfter: Int? }
}

struct InvalidSubscription: GraphQLSubscription {
  static let operationName = "Invalid"
  static let operationDocument = OperationDocument("subscription Invalid { nope }")
  struct Data: CodableSelectionSet { var nope: Int }
}

struct DeferredBioQuery: GraphQLQuery {
  static let operationName = "DeferredBio"
  static let operationDocument = OperationDocument(
    "query DeferredBio { hero { id ... @defer(label: \"d\") { slowBio(ms: 20) } } }")
  static let hasDeferredFragments = true
  struct Hero: Codable {
    var id: String
    var slowBio: String?
  }
  struct Data: CodableSelectionSet { var hero: Hero? }
}

struct StreamedFriendsQuery: GraphQLQuery {
  static let operationName = "StreamedFriends"
  static let operationDocument = OperationDocument(
    "query StreamedFriends { hero { id streamFriends(ms: 20) @stream(label: \"s\", initialCount: 0) { name } } }")
  static let hasDeferredFragments = true
  struct Hero: Codable {
    var id: String
    var streamFriends: [Named]
  }
  struct Data: CodableSelectionSet { var hero: Hero? }
}

struct DeferredFailureQuery: GraphQLQuery {
  static let operationName = "DeferredFailure"
  static let operationDocument = OperationDocument(
    "query DeferredFailure { boom ... @defer(label: \"x\") { boomNonNull } }")
  static let hasDeferredFragments = true
  struct Data: CodableSelectionSet {
    var boom: String?
    var boomNonNull: String?
  }
}
