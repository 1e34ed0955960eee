package import ApolloAPI

/// A record of a backend, in the form of the engine.
///
/// It can be sent to other threads because a record is not changed once it is complete.
package struct StoredRecord: @unchecked Sendable {
  /// The fields.
  package let record: ObjectRecord
  /// When a server sent them.
  package let dates: RecordDates

  /// A record and its dates.
  package init(_ record: ObjectRecord, _ dates: RecordDates) {
    self.record = record
    self.dates = dates
  }
}

/// Records that a backend gave, by their keys.
enum LoadedRecords: Sendable {
  case records([CacheKey: Record])
  case stored([CacheKey: StoredRecord])
}
