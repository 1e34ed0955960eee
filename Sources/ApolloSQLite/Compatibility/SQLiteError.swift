public import Foundation
internal import GRDB

/// An error of SQLite, with its extended result code.
public enum SQLiteError: LocalizedError, CustomStringConvertible, Sendable {
  /// A statement could not be executed.
  case execution(message: String, resultCode: Int32)
  /// A file could not be opened.
  case open(path: String, resultCode: Int32)
  /// A statement could not be prepared.
  case prepare(message: String, resultCode: Int32)
  /// A row could not be read.
  case step(message: String, resultCode: Int32)

  /// The error in an English sentence.
  public var errorDescription: String? { description }

  /// The error in an English sentence.
  public var description: String {
    switch self {
    case .execution(let message, let code): "SQLite cannot execute a statement: \(message) (\(code))."
    case .open(let path, let code): "SQLite cannot open '\(path)' (\(code))."
    case .prepare(let message, let code): "SQLite cannot prepare a statement: \(message) (\(code))."
    case .step(let message, let code): "SQLite cannot read a row: \(message) (\(code))."
    }
  }

  init(_ error: DatabaseError) {
    self = .step(message: error.message ?? "an error", resultCode: Int32(error.extendedResultCode.rawValue))
  }
}

/// How SQLite keeps a file whole. The cache always uses its write-ahead log.
public enum JournalMode: String, Sendable {
  /// A journal that is removed after each write.
  case delete = "DELETE"
  /// A journal that is emptied after each write.
  case truncate = "TRUNCATE"
  /// A journal whose header is overwritten after each write.
  case persist = "PERSIST"
  /// A journal in memory.
  case memory = "MEMORY"
  /// The write-ahead log.
  case wal = "WAL"
  /// No journal.
  case off = "OFF"
}
