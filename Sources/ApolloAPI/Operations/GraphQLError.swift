/// An error that a server reports in the `errors` of its response (GraphQL specification, section 7.1.5).
///
/// Anything a server may put there is accepted; what is not of the specified form is nil here and remains in ``subscript(_:)``.
public struct GraphQLError: Error, Sendable, CustomStringConvertible {
  /// A place in the operation that was sent, counted from 1.
  public struct Location: Hashable, Sendable {
    public let line: Int
    public let column: Int
  }

  /// Its members, as the server sent them.
  package let object: JSONObject

  public init(_ object: JSONObject) { self.object = object }

  public init(_ message: String) { self.init(["message": message]) }

  /// Takes whatever stands in the list of errors.
  package init(anyValue value: JSONValue) {
    switch value {
    case let object as JSONObject: self.init(object)
    case let message as String: self.init(message)
    default: self.init(["message": "\(value)"])
    }
  }

  /// Any member of the error.
  public subscript(key: String) -> JSONValue? { object[key] }

  public var message: String? { object["message"] as? String }

  public var locations: [Location]? {
    (object["locations"] as? [JSONValue])?.compactMap { value in
      guard let location = value as? JSONObject, let line = location["line"] as? Int,
        let column = location["column"] as? Int
      else { return nil }
      return Location(line: line, column: column)
    }
  }

  /// The field of the response the error belongs to.
  public var path: [PathComponent]? {
    (object["path"] as? [JSONValue])?.compactMap { value in
      switch value {
      case let name as String: .field(name)
      case let index as Int: .index(index)
      default: nil
      }
    }
  }

  public var extensions: JSONObject? { object["extensions"] as? JSONObject }

  public var description: String { message ?? "An error without a message" }
}

/// Errors are the same if the server sent the same for them.
extension GraphQLError: Hashable {
  public static func == (a: Self, b: Self) -> Bool { a.json == b.json }

  public func hash(into hasher: inout Hasher) { hasher.combine(json) }

  private var json: [UInt8] {
    var writer = JSONWriter()
    writer.writeJSON(object)
    return writer.bytes
  }
}
