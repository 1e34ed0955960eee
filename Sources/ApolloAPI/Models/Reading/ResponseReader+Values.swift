// Values that are read without their variables.

extension ResponseReader {
  /// Makes a model of what another one has. A value that has no form in JSON may be among it: the model has that value.
  ///
  /// - Parameters:
  ///   - type: The type of the model.
  ///   - other: The other model. Its data tells which conditions hold.
  /// - Returns: The model.
  /// - Throws: ``ResponseDecodingError`` if the data of the other model does not fit the type, or ``JSONEncodingError``.
  package static func model<Data: SelectionSet>(_ type: Data.Type, of other: some SelectionSet) throws -> Data {
    var writer = __JSONWriter()
    let standIns = StandIns()
    writer.standIns = standIns
    other.__write(to: &writer)
    if let failure = writer.failure { throw failure }
    return try readValue(type, from: ResponseBytes(writer.bytes), standIns: standIns)
  }

  /// Reads a value of any type that a field may have, whose variables are not known: the data tells which conditions
  /// hold.
  ///
  /// A part on a type is taken to be there, until it does not fit the data.
  ///
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - bytes: The value as JSON.
  ///   - standIns: The values that numbers stand for. nil, the default: none.
  /// - Returns: The value.
  /// - Throws: ``ResponseDecodingError`` if the JSON does not fit the type.
  static func readValue<Value: __OutputValue>(
    _ type: Value.Type, from bytes: ResponseBytes, standIns: StandIns? = nil
  ) throws(ResponseDecodingError) -> Value {
    var conditions = AssumedConditions()
    while true {
      do throws(ResponseDecodingError) {
        let outset = conditions, value = try readValue(type, from: bytes, standIns, &conditions)
        // What a field has told may count for what was read before it.
        if conditions.known == outset.known { return value }
        return (try? readValue(type, from: bytes, standIns, &conditions)) ?? value
      } catch {
        guard conditions.refute() else { throw error }
      }
    }
  }

  private static func readValue<Value: __OutputValue>(
    _ type: Value.Type, from bytes: ResponseBytes, _ standIns: StandIns?, _ conditions: inout AssumedConditions
  ) throws(ResponseDecodingError) -> Value {
    var reader = __ObjectReader(bytes, mode: .json, maximumDepth: .max)
    reader.standIns = standIns
    reader.assumedConditions = conditions
    defer { conditions = reader.assumedConditions ?? conditions }
    do throws(__ReadError) {
      reader.cursor.skipSpace()
      let value = try Value.__read(from: &reader)
      try reader.cursor.expectEnd()
      return value
    } catch {
      throw reader.describe(error)
    }
  }
}
