import ApolloAPI
public import Foundation

extension SQLiteOutboxStorage {
  /// A file that could not be used, and what became of its mutations.
  public struct Recovery: Sendable, CustomStringConvertible {
    /// Why the file could not be used.
    public let reason: SQLiteNormalizedCacheError.Recovery.Reason
    /// The file.
    public let fileURL: URL
    /// Where it is now; nil if there was nothing to rename.
    public let putAsideURL: URL?
    /// How many mutations were taken over into the new file.
    public let recoveredCount: Int
    /// How many mutations are known to have been in the file and cannot be read. There may have been more.
    public let lostCount: Int

    /// What has happened, in English sentences.
    public var description: String {
      let place = putAsideURL.map { " It is now '\($0.path)'." } ?? ""
      return "The outbox's file '\(fileURL.path)' could not be used: "
        + SQLiteNormalizedCacheError.Recovery.describe(reason) + ".\(place) A new file was made. Mutations that were "
        + "taken over: \(recoveredCount). Mutations that cannot be read: \(lostCount)."
    }
  }

  /// What can go wrong with the file.
  public enum StorageError: LocalizedError, CustomStringConvertible, Sendable {
    /// Another storage of this process has the file open. Use one storage for each file, or release the other one first.
    case fileInUse(path: String)
    /// The file can be neither opened nor made.
    case cannotOpen(path: String, reason: String)
    /// A change could not be written, such as on a full disk.
    case cannotWrite(path: String, reason: String)
    /// The codec failed for a mutation: it cannot encode it, or it can decode nothing now (``SQLiteCodecUnavailable``). Then
    /// nothing is loaded, and the file stays as it is.
    case codecFailed(id: String, reason: String)
    /// A mutation has a form that is not known, or the codec of now cannot decode it.
    case unreadable(id: String)

    /// The error in an English sentence.
    public var errorDescription: String? { description }

    /// The error in an English sentence.
    public var description: String {
      switch self {
      case .fileInUse(let path):
        "The file '\(path)' is open in another storage of this process. Use one storage for each file, or release the "
          + "other one first."
      case .cannotOpen(let path, let reason): "The outbox's file '\(path)' cannot be opened or made: \(reason)."
      case .codecFailed(let id, let reason): "The codec failed for the mutation '\(id)' of the outbox: \(reason)."
      case .unreadable(let id):
        "The mutation '\(id)' of the outbox has a form that is not known, or was written with another codec. It stays in "
          + "the file."
      case .cannotWrite(let path, let reason): "The outbox cannot write to '\(path)': \(reason)."
      }
    }
  }
}
