/// An error that a server reports in the `errors` of its response (GraphQL specification, section 7.1.5).
///
/// Every value that a server may put there is accepted. A member that does not have the specified form is nil here, and
/// can be read with ``subscript(_:)``.
public struct GraphQLError: Error, Sendable, CustomStringConvertible {
  /// A position in the text of the operation that was sent.
  public struct Location: Hashable, Sendable {
    /// The line, from 1.
    public let line: Int
    /// The column, from 1.
    public let column: Int
  }

  /// The members, as the server sent them.
  package let object: JSONObject

  /// Makes an error.
  ///
  /// - Parameter object: The members of the error, such as `message` and `path`.
  public init(_ object: JSONObject) { self.object = object }

  /// Makes an error with a message only.
  ///
  /// - Parameter message: The value of `message`.
  public init(_ message: String) { self.init(["message": message]) }

  /// Makes an error of any value in the list of errors.
  package init(anyValue value: JSONValue) {
    switch value {
    case let object as JSONObject: self.init(object)
    case let message as String: self.init(message)
    case is JSONNull: self.init([:])
    default:
      var writer = __JSONWriter()
      writer.writeJSON(value)
      self.init(writer.text)
    }
  }

  /// The member with a name, as the server sent it; nil if there is none.
  public subscript(key: String) -> JSONValue? { object[key] }

  /// A description of the error for developers; nil if the server sent none.
  public var message: String? { object["message"] as? String }

  /// The positions in the operation that the error is about; nil if there are none, or if one of them is malformed.
  public var locations: [Location]? { (object["locations"] as? [JSONValue])?.mapped(Location.init(jsonValue:)) }

  /// The path of the field that the error belongs to; nil if there is none, or if one of its components is malformed.
  /// (Without that component, the path would be that of another field.)
  public var path: [PathComponent]? { (object["path"] as? [JSONValue])?.mapped(PathComponent.init(jsonValue:)) }

  /// The schema coordinate of what the error is about, such as `Human.name`; nil if the server sent none
  /// ([proposal](https://github.com/graphql/graphql-spec/pull/1200)).
  public var coordinate: String? { object["coordinate"] as? String }

  /// Further information from the server, such as a `code`; nil if there is none.
  ///
  /// A number in it is an `Int` or a `Double`, as the server spelled it: `2` or `2.0`. `as? NSNumber` takes both, and so
  /// does ``JSONScalar``.
  public var extensions: JSONObject? { object["extensions"] as? JSONObject }

  /// The message, or `GraphQL Error`.
  public var description: String { message ?? "GraphQL Error" }
}

extension GraphQLError.Location {
  fileprivate init?(jsonValue: JSONValue) {
    guard let location = jsonValue as? JSONObject, let line = wholeNumber(location["line"]),
      let column = wholeNumber(location["column"])
    else { return nil }
    self.init(line: Int(clamping: line), column: Int(clamping: column))
  }
}

extension [JSONValue] {
  /// The elements in another form; nil if one of them has none.
  fileprivate func mapped<Value>(_ transform: (JSONValue) -> Value?) -> [Value]? {
    var elements: [Value] = []
    for value in self {
      guard let element = transform(value) else { return nil }
      elements.append(element)
    }
    return elements
  }
}

/// Errors are equal if their JSON is.
extension GraphQLError: Hashable {
  /// Compares the JSON of the errors.
  public static func == (a: Self, b: Self) -> Bool { a.json == b.json }

  /// Feeds the JSON of the error into a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(json) }

  /// The members as JSON, sorted by name.
  var json: String {
    var writer = __JSONWriter()
    writer.writeJSON(object)
    return writer.text
  }
}
