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

  /// The places in the operation that the error is about; nil if there are none, or if one of them is malformed.
  public var locations: [Location]? { (object["locations"] as? [JSONValue])?.mapped(Location.init(jsonValue:)) }

  /// The field of the response that the error belongs to; nil if there is none, or if one of its components is malformed:
  /// what is left of the path would be that of another field.
  public var path: [PathComponent]? { (object["path"] as? [JSONValue])?.mapped(PathComponent.init(jsonValue:)) }

  public var extensions: JSONObject? { object["extensions"] as? JSONObject }

  public var description: String { message ?? "An error without a message" }
}

extension GraphQLError.Location {
  fileprivate init?(jsonValue: JSONValue) {
    guard let location = jsonValue as? JSONObject, let line = wholeNumber(location["line"]),
      let column = wholeNumber(location["column"])
    else { return nil }
    self.init(line: line, column: column)
  }
}

extension PathComponent {
  /// A name, or an index from 0; nil for any other value.
  package init?(jsonValue: JSONValue) {
    if let name = jsonValue as? String {
      self = .field(name)
    } else if let index = wholeNumber(jsonValue), index >= 0 {
      self = .index(index)
    } else {
      return nil
    }
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
