import Apollo
import ApolloAPI
import Foundation

/// Keeps other processes away from an outbox, as long as this one has it open. SQLite has a lock of its own, which it lets
/// go of while a file is replaced, and which it cannot have for a file that is damaged.
///
/// It is the lock of a file with nothing in it, beside that of the outbox. The system ends it when the process ends.
final class OutboxLock: Sendable {
  private let url: URL
  /// The open file; nil: the lock has ended.
  private let descriptor: Locked<Int32?>
  private let identity: FileIdentity?

  private init(_ url: URL, _ descriptor: Int32) {
    self.url = url
    self.descriptor = Locked(descriptor)
    identity = FileIdentity(url)
  }

  deinit { end() }

  /// Takes the lock of an outbox. A process that has it may be about to end, so this tries for about a second, in which it
  /// blocks its thread.
  ///
  /// - Parameter file: The file of the outbox. Its folder has to exist.
  /// - Returns: The lock; nil if there can be none, as in a folder that may not be written to. SQLite says more of that.
  /// - Throws: ``SQLiteOutboxStorage/StorageError/cannotOpen(path:reason:)`` if another process has it.
  static func take(beside file: URL) throws -> OutboxLock? {
    let url = URL(fileURLWithPath: file.path + ".lock")
    let descriptor = open(url.path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return nil }
    // (What does not become the lock is closed with this.)
    let lock = OutboxLock(url, descriptor)
    PrivateFile.protect(url.path)
    FileAttributes.leaveOutOfBackups(url.path)
    for _ in 0..<50 {
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return lock }
      guard errno == EWOULDBLOCK || errno == EINTR else { return nil }
      Thread.sleep(forTimeInterval: 0.02)
    }
    throw SQLiteOutboxStorage.StorageError.cannotOpen(path: file.path, reason: "another process has it open")
  }

  /// Whether the file of the lock is still at its place. Otherwise another process may have made another one.
  var isInPlace: Bool { FileIdentity(url) == identity }

  /// Ends the lock.
  func end() { if let descriptor = descriptor.withLock({ $0.take() }) { close(descriptor) } }
}
