import ApolloAPI
import ApolloJSON

/// Results are equal if their data, errors, extensions and source are. ``GraphQLResult/cacheInfo`` is not compared.
extension GraphQLResult: Equatable where Data: Equatable {
  /// Compares data, errors, extensions, source, and whether more results follow.
  public static func == (a: Self, b: Self) -> Bool {
    a.data == b.data && a.errors == b.errors && a.source == b.source && a.hasNext == b.hasNext
      && a.givenKeys == b.givenKeys && a.extensions.map(json) == b.extensions.map(json)
  }

  /// (Values of JSON have many types, so their texts are compared.)
  private static func json(_ object: JSONObject) -> [UInt8] {
    var writer = __JSONWriter()
    writer.writeJSON(object)
    return writer.bytes
  }
}

extension GraphQLResult: Hashable where Data: Hashable {
  /// Feeds data, errors and source into a hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(data)
    hasher.combine(errors)
    hasher.combine(source)
  }
}

extension GraphQLResult {
  /// The result as a server would send it: `data`, `errors` and `extensions`, each if it is there, in the types of
  /// `JSONSerialization`. A function of Apollo iOS 1.15 and later.
  public func asJSONDictionary() -> [String: Any] {
    var object: [String: Any] = [:]
    if let data { object["data"] = data.jsonObject }
    if let errors { object["errors"] = errors.map { $0.object.mapValues(FoundationJSON.export) } }
    if let extensions { object["extensions"] = extensions.mapValues(FoundationJSON.export) }
    return object
  }
}
