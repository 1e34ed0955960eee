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

  /// Stands for a record that was removed, where a backend knows that.
  package static let removed = StoredRecord(.make(type: .unknown, capacity: 0), RecordDates())

  /// Whether it is ``removed``.
  package var isRemoved: Bool { record === Self.removed.record }
}

/// What a backend has under some keys, in the order of the keys.
enum LoadedRecords: Sendable {
  /// A backend that does not have a record says with it that there is none.
  case records([Record?])
  /// A record that is not there may be missing for any reason: only one that was removed is gone.
  case stored([StoredRecord?])
}
