/// The fields of an input object by name, as Apollo iOS 1 holds them.
///
/// In this package input objects are structs, and their initializers name the fields. An `InputDict` is what
/// `InputObject.__data` gives, and may be the value of a variable of an operation that is written by hand.
public struct InputDict: __InputValue, Hashable {
  private let data: JSONObject

  /// Makes an input object of fields by name.
  ///
  /// - Parameter data: The fields: JSON, input objects, enums and other values of variables. A field that is
  ///   ``GraphQLNullable/none`` is left out.
  public init(_ data: JSONObject = [:]) {
    self.data = data.compactMapValues(sentInput)
  }

  /// The field with a name; nil if it has no value.
  public subscript(key: String) -> JSONValue? { data[key] }

  /// The fields that are sent.
  public var _jsonEncodableObject: JSONObject { data }

  /// Writes the fields as a JSON object.
  public func __write(to writer: inout __JSONWriter) { writer.writeJSON(data) }

  /// Compares the JSON of the fields.
  public static func == (a: Self, b: Self) -> Bool { a.json == b.json }
  /// Feeds the JSON of the fields into a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(json) }

  private var json: [UInt8] {
    var writer = __JSONWriter()
    __write(to: &writer)
    return writer.bytes
  }
}

extension InputObject {
  /// The fields that have a value, as JSON.
  public var __data: InputDict { InputDict(__JSONWriter().value { __write(to: &$0) } as? JSONObject ?? [:]) }

  /// The fields that have a value, as JSON, under the name of Apollo iOS 0.x.
  public var graphQLMap: GraphQLMap { __data._jsonEncodableObject }

  /// Not available: the initializer of Apollo iOS 1. Input objects are structs whose initializers name the fields.
  @available(
    *, unavailable,
    message:
      "Input objects are structs: name the fields as arguments, 'Input(name: …)' for 'Input(InputDict([\"name\": …]))'."
  )
  public init(_ data: InputDict) { preconditionFailure("Input objects are structs.") }
}
