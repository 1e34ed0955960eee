/// The fields of one object of a response, under their names in the schema: an alias makes no difference.
///
/// That of a response is valid while `SchemaConfiguration.cacheKeyInfo(for:object:)` runs.
public struct ObjectData: @unchecked Sendable {
  // Sendable: the record is only read here. That of a response is not shared with another thread before the call
  // returns, and that of a test is complete when the object has it.
  private let record: ObjectRecord

  init(_ record: ObjectRecord) { self.record = record }

  /// The value of a field without arguments: a `String`, an `Int`, a `Double`, a `Bool`, the ``ObjectData`` of an
  /// object that has no key of its own, or a list of such values, in which a null is a ``JSONNull``.
  ///
  /// nil if it was not selected, is null, or is an object that has a key of its own.
  public subscript(_ field: String) -> JSONValue? {
    if field == "__typename" { return typename }
    return record.value(of: .forName(field)).flatMap(Self.value)
  }

  /// The value of `__typename`, where it was selected.
  public var typename: String? {
    if let name = record.type.name { return name }
    guard case .string(let name)? = record.value(of: .typename) else { return nil }
    return name
  }

  /// The fields without arguments, with the objects in them as JSON objects.
  var json: JSONObject {
    var object: JSONObject = [:]
    record.forEachField { if !$0.key.hasArguments { object[$0.key.name] = Self.json($0.value) } }
    object["__typename"] = typename
    return object
  }

  private static func json(_ value: RecordValue) -> JSONValue? {
    switch value {
    case .null: JSONNull()
    case .object(let record): ObjectData(record).json
    case .list(let values): values.map { json($0) ?? JSONNull() }
    default: Self.value(value)
    }
  }

  /// The value; nil for a null, and for what an app does not see.
  static func value(_ value: RecordValue) -> JSONValue? {
    switch value {
    case .bool(let value): value
    case .int(let value): value
    case .double(let value): value
    case .string(let value): value
    case .json(let text): try? JSONCursor.value(of: text)
    case .object(let record): ObjectData(record)
    case .list(let values): values.map { Self.value($0) ?? JSONNull() }
    case .null, .reference, .references, .error, .incoming: nil
    }
  }
}
