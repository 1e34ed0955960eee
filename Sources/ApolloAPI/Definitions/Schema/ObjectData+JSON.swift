extension ObjectData {
  /// Makes an object for a test of `SchemaConfiguration.cacheKeyInfo(for:object:)`.
  ///
  ///     let human = ObjectData(["__typename": "Human", "id": "1000"])
  ///     let info = SchemaConfiguration.cacheKeyInfo(for: Objects.Human, object: human)
  ///
  /// - Parameter json: The fields by their names in the schema. The objects in it have no keys of their own. A field
  ///   whose value has no form in JSON is left out.
  public init(_ json: JSONObject) {
    self.init(Self.objectRecord(json.compactMapValues { try? JSONScalar(_jsonValue: $0) }))
  }

  private static func objectRecord(_ fields: [String: JSONScalar]) -> ObjectRecord {
    let record = ObjectRecord.make(type: .unknown, capacity: fields.count)
    for (name, value) in fields { record.append(ObjectRecord.Field(.forName(name), recordValue(value))) }
    return record
  }

  private static func recordValue(_ value: JSONScalar) -> RecordValue {
    switch value {
    case .null: .null
    case .bool(let value): .bool(value)
    case .int(let value): .int(value)
    case .double(let value): .double(value)
    case .number(let value): .json(value.description)
    case .string(let value): .string(value)
    case .array(let values): .list(values.map(recordValue))
    case .object(let fields): .object(objectRecord(fields))
    }
  }
}
