public import Foundation

/// What can go wrong with the file of a ``SQLiteNormalizedCache``.
public enum SQLiteNormalizedCacheError: LocalizedError, CustomStringConvertible, Sendable {
  /// Another cache of this process has the file open. Use one cache for each file, or close the other one first, with
  /// ``SQLiteNormalizedCache/close()`` or the `close()` of its client.
  case fileInUse(path: String)
  /// The file can be neither opened nor made.
  case cannotOpen(path: String, reason: String)
  /// What was there could not be used. It was renamed, and a new file was made.
  case putAside(Recovery)
  /// Records could not be written or removed, such as on a full disk. With `batched` durability, what was not written
  /// stays in memory, and writing it is tried again. What a function could not remove has to be removed again.
  case cannotWrite(path: String, reason: String)
  /// The codec failed for a record. The record is not on disk.
  case codecFailed(key: String, reason: String)
  /// Of Apollo iOS 2; it is never thrown.
  case invalidRecordEncoding(record: String)
  /// Of Apollo iOS 1; it is never thrown.
  case invalidRecordShape(object: String)

  /// The error in an English sentence.
  public var errorDescription: String? { description }

  /// The error in an English sentence.
  public var description: String {
    switch self {
    case .fileInUse(let path):
      "The file '\(path)' is open in another cache of this process. Use one cache for each file, or wait for the "
        + "'close()' of the other one, or of its client, first."
    case .cannotOpen(let path, let reason): "The cache's file '\(path)' cannot be opened or made: \(reason)."
    case .putAside(let recovery): recovery.description
    case .cannotWrite(let path, let reason):
      "The cache cannot write to '\(path)': \(reason)."
    case .codecFailed(let key, let reason): "The codec failed for the record '\(key)': \(reason)."
    case .invalidRecordEncoding(let record): "This is not the text of a record: \(record)"
    case .invalidRecordShape(let object): "This is not a record: \(object)"
    }
  }

  /// A file that could not be used, and where it is now.
  public struct Recovery: Sendable, CustomStringConvertible {
    /// Why a file cannot be used.
    public enum Reason: Hashable, Sendable {
      /// A later release of this package has written it.
      case newerFormat(version: Int)
      /// It is the cache of Apollo iOS, whose keys and values have another form.
      case apolloIOS
      /// It belongs to another program, as the application id in its header says. If that is the one of this package,
      /// another program has changed it: it has a trigger, a view, an index or a column that this package does not make.
      case foreign(applicationID: Int)
      /// It is not a database, or a damaged one.
      case damaged(String)
      /// It cannot be read.
      case unreadable(String)
      /// It was removed or replaced while it was open.
      case removed
    }

    /// Why the file could not be used.
    public let reason: Reason
    /// The file.
    public let fileURL: URL
    /// Where it is now; nil if there was nothing to rename.
    public let putAsideURL: URL?

    /// What has happened, in an English sentence.
    public var description: String {
      let place = putAsideURL.map { " It is now '\($0.path)'." } ?? ""
      return "The cache's file '\(fileURL.path)' could not be used: \(Self.describe(reason)).\(place) "
        + "A new file was made."
    }

    static func describe(_ reason: Reason) -> String {
      switch reason {
      case .newerFormat(let version):
        "a later release has written it, with version \(version) of the format"
      case .apolloIOS: "Apollo iOS has written it, and its records cannot be taken over"
      case .foreign(let id) where [Schema.kind.applicationID, OutboxSchema.kind.applicationID].contains(id):
        "another program has changed it, so that it has more than what this package makes, or is of another kind"
      case .foreign(let id): "it belongs to another program, with the application id \(id)"
      case .damaged(let how): "it is damaged: \(how)"
      case .unreadable(let how): "it cannot be read: \(how)"
      case .removed: "it was removed or replaced while it was open"
      }
    }
  }
}

extension FileProblem {
  var reason: SQLiteNormalizedCacheError.Recovery.Reason {
    switch self {
    case .newer(let version): .newerFormat(version: version)
    case .apolloIOS: .apolloIOS
    case .foreign(let id): .foreign(applicationID: id)
    case .foreignSchema(let id, _): .foreign(applicationID: id)
    case .damaged(let how): .damaged(how)
    case .unreadable(let how): .unreadable(how)
    case .removed: .removed
    }
  }

  /// Why a file cannot be used, with the details for `apollo-inspect`.
  var description: String {
    if case .foreignSchema(_, let what) = self { return "another program has changed it: \(what)" }
    return SQLiteNormalizedCacheError.Recovery.describe(reason)
  }

  /// The words of all problems.
  static let words = ["newer", "apollo-ios", "foreign", "damaged", "unreadable", "removed"]

  /// A word for the name of the file.
  var word: String {
    switch self {
    case .newer: "newer"
    case .apolloIOS: "apollo-ios"
    case .foreign, .foreignSchema: "foreign"
    case .damaged: "damaged"
    case .unreadable: "unreadable"
    case .removed: "removed"
    }
  }
}
