import ApolloAPI
import ApolloFoundation

/// Results are the same if they tell the same, of the same source. What the cache had to do with them does not count.
extension GraphQLResult: Equatable where Data: Equatable {
  public static func == (a: Self, b: Self) -> Bool {
    a.data == b.data && a.errors == b.errors && a.source == b.source && a.hasNext == b.hasNext
      && a.givenKeys == b.givenKeys && a.extensions.map(json) == b.extensions.map(json)
  }

  /// (Values of JSON are of many types, and their text is the same if they are.)
  private static func json(_ object: JSONObject) -> [UInt8] {
    var writer = JSONWriter()
    writer.writeJSON(object)
    return writer.bytes
  }
}

extension GraphQLResult: Hashable where Data: Hashable {
  public func hash(into hasher: inout Hasher) {
    hasher.combine(data)
    hasher.combine(errors)
    hasher.combine(source)
  }
}

extension GraphQLResult {
  /// The result as a server would send it: `data`, `errors` and `extensions`, each if it is there. Of release 1.15 of Apollo
  /// iOS.
  public func asJSONDictionary() -> [String: Any] {
    var object: [String: Any] = [:]
    if let data { object["data"] = data.jsonObject }
    if let errors { object["errors"] = errors.map(\.object) }
    if let extensions { object["extensions"] = extensions }
    return object
  }
}
