@testable import ApolloAPI
@testable import ApolloCache
@testable import ApolloSQLite
import Foundation
internal import GRDB
import Testing

// (GRDB has a class of this name.)
typealias Record = ApolloCache.Record

@Suite("The cache on disk")
struct SQLiteTests {}

/// A folder that is removed with this object.
final class Folder: Sendable {
  let url = FileManager.default.temporaryDirectory.appendingPathComponent("apollo-sqlite-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: url) }

  var file: URL { url.appendingPathComponent("cache.sqlite") }

  var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted() }

  func cache(_ configure: (inout SQLiteNormalizedCache.Configuration) -> Void = { _ in }) throws
    -> SQLiteNormalizedCache
  {
    var configuration = SQLiteNormalizedCache.Configuration()
    configure(&configuration)
    return try SQLiteNormalizedCache(fileURL: file, configuration: configuration)
  }

  /// Runs a body with SQLite itself.
  func database<T>(_ body: (Database) throws -> T) throws -> T {
    let queue = try DatabaseQueue(path: file.path)
    defer { try? queue.close() }
    return try queue.writeWithoutTransaction(body)
  }

  /// A connection that may keep a transaction open, so that no other connection can write.
  func blocker() throws -> DatabaseQueue {
    var configuration = GRDB.Configuration()
    configuration.allowsUnsafeTransactions = true
    return try DatabaseQueue(path: file.path, configuration: configuration)
  }

  /// All bytes of the file and of those beside it.
  var contents: Data {
    ["", "-wal"].reduce(into: Data()) { all, suffix in
      all += (try? Data(contentsOf: URL(fileURLWithPath: file.path + suffix))) ?? Data()
    }
  }
}

extension SQLiteNormalizedCache {
  func record(_ key: CacheKey) async throws -> Record? { try await loadRecords(forKeys: [key])[key] }
}

/// A codec whose key cannot be read for a while.
final class LockedCodec: SQLiteCodec {
  let isLocked = Locked(false)

  func encode(_ data: Data, for key: String) throws -> Data { try flipped(data) }
  func decode(_ data: Data, for key: String) throws -> Data { try flipped(data) }

  private func flipped(_ data: Data) throws -> Data {
    if isLocked.withLock({ $0 }) { throw SQLiteCodecUnavailable() }
    return Data(data.map { ~$0 })
  }
}

/// Numbers that look random, and are the same each time.
struct Dice: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 &+ 1 }

  mutating func next() -> UInt64 {
    state = state &+ 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }
}

extension Record.Value {
  /// Any value.
  static func random(_ dice: inout Dice, depth: Int = 0) -> Record.Value {
    switch Int.random(in: 0..<(depth < 3 ? 12 : 9), using: &dice) {
    case 0: .null
    case 1: .bool(.random(using: &dice))
    case 2: .int(Int(truncatingIfNeeded: dice.next()))
    case 3: .int(.random(in: -100...100, using: &dice))
    case 4: .double(.random(in: -1e9...1e9, using: &dice))
    case 5:
      .string(String((0..<Int.random(in: 0..<20, using: &dice)).map { _ in "aé🚀\0\"'%".randomElement(using: &dice)! }))
    case 6: .json(#"{"a":[\#(Int.random(in: 0...9, using: &dice))]}"#)
    case 7: .reference("T:\(Int.random(in: 0..<30, using: &dice))")
    case 8: .error(#"{"message":"no","path":[]}"#)
    case 9:
      .list(
        (0..<Int.random(in: 0..<5, using: &dice)).map { _ in .reference("T:\(Int.random(in: 0..<30, using: &dice))") })
    case 10: .list((0..<Int.random(in: 0..<4, using: &dice)).map { _ in random(&dice, depth: depth + 1) })
    default:
      .object(
        Dictionary(
          (0..<Int.random(in: 0..<4, using: &dice)).map { ("f\($0)", random(&dice, depth: depth + 1)) }
        ) { $1 })
    }
  }
}
