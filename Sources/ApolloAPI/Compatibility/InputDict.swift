/// The fields of an input object by name, as Apollo iOS 1 holds them.
///
/// In this package input objects are structs, and their initializers name the fields. An `InputDict` is what
/// `InputObject.__data` gives, and may be the value of a variable of an operation that is written by hand.
public struct InputDict: __InputValue, Hashable {
  private let data: JSONObject
  /// The input object whose fields these are, which writes itself; nil for fields that are given by name.
  private let input: (any __InputValue)?

  /// Makes an input object of fields by name.
  ///
  /// - Parameter data: The fields: JSON, input objects, enums and other values of variables. A field that is
  ///   ``GraphQLNullable/none`` is left out.
  public init(_ data: JSONObject = [:]) {
    self.data = data.compactMapValues(sentInput)
    input = nil
  }

  fileprivate init(of input: some InputObject) {
    // (The writer has written an object.)
    data = __JSONWriter().value { input.__write(to: &$0) } as? JSONObject ?? [:]
    self.input = input
  }

  /// The field with a name; nil if it has no value.
  public subscript(key: String) -> JSONValue? { data[key] }

  /// The fields that are sent.
  public var _jsonEncodableObject: JSONObject { data }

  /// Writes the fields as a JSON object. The writer fails for a field whose value has no form in JSON.
  public func __write(to writer: inout __JSONWriter) {
    if let input { input.__write(to: &writer) } else { writer.writeJSON(data) }
  }

  /// Compares the JSON of the fields.
  public static func == (a: Self, b: Self) -> Bool { a.json == b.json }
  /// Feeds the JSON of the fields into a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(json) }

  private var json: [UInt8] {
    var writer = __JSONWriter()
    writer.writeJSON(data)
    return writer.bytes
  }
}

extension InputObject {
  /// The fields that have a value, as JSON.
  public var __data: InputDict { InputDict(of: self) }

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
