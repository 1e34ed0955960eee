/// What a field of a record holds.
///
/// Sendable because a record does not change once it is shared; `ManagedBuffer` cannot be declared so.
package enum RecordValue: @unchecked Sendable {
  case null
  case bool(Bool)
  case int(Int)
  case double(Double)
  case string(String)
  /// JSON text, for values of custom scalars that are none of the above.
  case json(String)
  /// Another record that has a key of its own, by its number in the batch or the store.
  case reference(Int32)
  /// A list of such records; -1 stands for null.
  case references([Int32])
  /// An object without a key of its own, which belongs to this field.
  case object(ObjectRecord)
  case list([RecordValue])
  /// No value, but an error that a server reported.
  case error(CachedError)
  /// A value of a response that is not merged yet with what the store has. No record of a store holds one.
  case incoming(IncomingValue)
}
