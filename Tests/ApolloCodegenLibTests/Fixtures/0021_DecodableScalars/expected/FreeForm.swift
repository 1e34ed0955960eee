public import ApolloAPI

/// A scalar that is an object or a list, as a user may write it: it can be read, and no more.
nonisolated public enum FreeForm {
  case object([String: Any])
  case list([Any])
}

nonisolated extension FreeForm: JSONDecodable {
  public init(jsonValue value: JSONValue) throws {
    if let object = value as? [String: Any] {
      self = .object(object)
    } else if let list = value as? [Any] {
      self = .list(list)
    } else {
      throw JSONDecodingError.couldNotConvert(value: value, to: FreeForm.self)
    }
  }
}
