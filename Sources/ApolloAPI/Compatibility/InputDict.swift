/// The fields of an input object by name, as releases 1.x of Apollo iOS hold them.
///
/// Here input objects are structs, each with an initializer that names every field. This is a value for a variable of an
/// operation that is written by hand, and what ``InputObject/__data`` gives.
public struct InputDict: InputValue, Hashable {
  private let data: JSONObject

  /// - Parameter data: What is to be sent: JSON, input objects, enums and other values of variables;
  ///   ``GraphQLNullable/none`` is left out.
  public init(_ data: JSONObject = [:]) {
    self.data = data.compactMapValues { value in
      if let nullable = value as? any NullableInput { nullable.sent } else { value }
    }
  }

  /// Any field; nil if it has no value.
  public subscript(key: String) -> JSONValue? { data[key] }

  /// The fields that are sent.
  public var _jsonEncodableObject: JSONObject { data }

  public func write(to writer: inout JSONWriter) { writer.writeJSON(data) }

  public static func == (a: Self, b: Self) -> Bool { a.json == b.json }
  public func hash(into hasher: inout Hasher) { hasher.combine(json) }

  private var json: [UInt8] {
    var writer = JSONWriter()
    write(to: &writer)
    return writer.bytes
  }
}

/// A value that may be left out.
private protocol NullableInput {
  /// nil if it is left out.
  var sent: JSONValue? { get }
}

extension GraphQLNullable: NullableInput where Wrapped: InputValue {
  fileprivate var sent: JSONValue? {
    switch self {
    case .none: nil
    case .null: JSONNull()
    case .some(let value): value
    }
  }
}

extension InputObject {
  /// The fields that have a value, as JSON.
  public var __data: InputDict {
    var writer = JSONWriter()
    write(to: &writer)
    return InputDict((try? ResponseReader.jsonValue(ResponseBytes(writer.bytes))) as? JSONObject ?? [:])
  }

  @available(
    *, unavailable,
    message:
      "Input objects are structs: name the fields as arguments, 'Input(name: …)' for 'Input(InputDict([\"name\": …]))'."
  )
  public init(_ data: InputDict) { preconditionFailure("Input objects are structs.") }
}
