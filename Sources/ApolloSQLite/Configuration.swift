import ApolloAPI
public import Foundation

extension SQLiteNormalizedCache {
  /// What an app sets about its cache on disk.
  public struct Configuration: Sendable {
    /// When what has changed is on disk.
    public enum Durability: Sendable {
      /// Shortly after the write, together with others, and in any case when the cache's `flush()` returns, when the app
      /// goes into the background, and when the cache is released. A result never waits for the disk. If the device
      /// loses power, the last writes may be lost; the file stays whole.
      case batched
      /// Before the write returns, even if the device loses power. Each write waits for the disk.
      case immediate
    }

    /// When a file can be read while a device is locked, on Apple's systems other than macOS.
    public enum FileProtection: Sendable {
      /// Never while the device is locked.
      case complete
      /// While the device is locked, only if it was open before.
      case completeUnlessOpen
      /// From the first time on that the device is unlocked after it was started.
      case completeUntilFirstUserAuthentication
      /// Always.
      case none
    }

    /// When what has changed is on disk. The default is ``Durability/batched``.
    public var durability = Durability.batched
    /// How many bytes the file may take. Above it, the records are removed that were not used for the longest time, by
    /// day; the root of queries stays. What SQLite keeps beside the file does not count. nil, the default: no limit.
    public var sizeLimit: Int?
    /// Types, such as `Session`, and fields of types, such as `User.token`, that are kept in memory only. The names are
    /// those of object types. If there are more than in the launch before, what the file has of them is taken out. The default
    /// is none.
    public var excluded: Set<String> = []
    /// Changes each record on its way to the disk and back, such as by encryption. nil, the default: records are stored
    /// as they are. Keys and names are never changed. With a codec of another type than in the launch before, records that
    /// it cannot read are removed.
    public var codec: (any SQLiteCodec)?
    /// When the file can be read while a device is locked. It holds for what SQLite keeps beside the file as well.
    public var fileProtection = FileProtection.completeUntilFirstUserAuthentication
    /// Whether nothing is left in the file and its log of what is removed or replaced: it is overwritten with zeros, and
    /// the log is emptied with each write, which makes writing slower. What SQLite has moved within the file before is
    /// gone after the next ``SQLiteNormalizedCache/flush()``, or when the app has gone into the background: the file is
    /// written anew. The default is false: until something else takes the place of the bytes, they can be found. ``SQLiteNormalizedCache/clear()`` leaves nothing in any case.
    public var secureDelete = false
    /// After how many days a file is removed that could not be used and was put aside. The default is 90. Those of other
    /// programs stay.
    public var putAsideLifetime = 90
    /// Whether other processes may have the file open, such as an extension of the app that has it in a shared container.
    /// Two processes may share a file without it; with it, the app holds no lock while it is suspended, for which the system
    /// would end it: see ``SQLiteNormalizedCache/suspend()``. The default is false.
    public var isInSharedContainer = false
    /// For how many seconds a write waits for another process. The default is 5.
    public var busyTimeout: TimeInterval = 5
    /// Called once for each file that could not be used, with ``SQLiteNormalizedCacheError/putAside(_:)``, on any
    /// thread. nil, the default: nothing is called; ``SQLiteNormalizedCache/recoveries`` has them as well.
    public var onRecovery: (@Sendable (SQLiteNormalizedCacheError) -> Void)?
    /// Called when records could not be written, on any thread. nil, the default: only those are told that call
    /// `flush()`.
    public var onWriteFailure: (@Sendable (SQLiteNormalizedCacheError) -> Void)?

    /// Makes a configuration with the defaults.
    public init() {}
  }

  /// A place for a cache: in the folder for files that an app can make anew, which is not part of backups.
  ///
  /// - Parameter name: The name of the file, without its extension. The default is `apollo`.
  /// - Returns: The file, which need not exist. ``init(fileURL:shouldVacuumOnClear:configuration:)`` makes its folder.
  /// - Throws: ``SQLiteNormalizedCacheError/cannotOpen(path:reason:)`` if the account of the process has no such folder,
  ///   as that of a service may have none. No other folder takes its place: the one for temporary files is shared by all.
  public static func defaultURL(name: String = "apollo") throws -> URL {
    guard let file = DefaultPlace.file(name, in: .cachesDirectory) else {
      throw SQLiteNormalizedCacheError.cannotOpen(path: name + ".sqlite", reason: DefaultPlace.problem)
    }
    return file
  }
}

/// Changes the bytes of records on their way to the disk and back: encryption, most often.
///
/// Keys of records and names of fields and types are not given to it: they can be read in the file.
public protocol SQLiteCodec: Sendable {
  /// Changes the bytes of a record for the disk.
  ///
  /// - Parameters:
  ///   - data: The bytes.
  ///   - key: The key of the record. An encryption that authenticates should include it, so that an attacker cannot move the
  ///     bytes to another record.
  /// - Returns: The bytes for the disk.
  /// - Throws: ``SQLiteCodecUnavailable`` if it cannot be done now: everything waits, and is tried again. After any other
  ///   error the record is not on disk.
  func encode(_ data: Data, for key: String) throws -> Data

  /// Changes the bytes back.
  ///
  /// - Parameters:
  ///   - data: What ``encode(_:for:)`` returned, or anything else if the file was damaged or written with another codec.
  ///   - key: The key of the record.
  /// - Returns: The bytes of the record.
  /// - Throws: ``SQLiteCodecUnavailable`` if it cannot be done now: the read fails, and what is on disk stays. After any other
  ///   error the record counts as missing, and the next response takes its place; a mutation of an outbox stays in the file,
  ///   and is not sent.
  func decode(_ data: Data, for key: String) throws -> Data
}

/// The error that a ``SQLiteCodec`` throws when it cannot work now, and will later: as when its key is in a keychain that
/// cannot be read while the device is locked.
public struct SQLiteCodecUnavailable: Error, Hashable, CustomStringConvertible {
  /// Why not, in words for a log.
  public let reason: String

  /// Makes an error. The default says that the device may be locked.
  public init(_ reason: String = "its key cannot be read now; the device may be locked") { self.reason = reason }

  /// Says what cannot be used, and why.
  public var description: String { "The codec of the cache cannot be used: \(reason)." }
}
