import Apollo

// What makes the document's scalar one that generated code can use: it can be written, too.
extension CustomJSON: CustomScalarType, @unchecked Sendable {
  var jsonValue: JSONValue {
    switch self {
    case .dictionary(let object): object as? JSONObject ?? [:]
    case .array(let list): list as? [JSONValue] ?? []
    }
  }
}
