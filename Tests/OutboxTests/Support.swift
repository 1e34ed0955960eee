@testable import ApolloOutbox
@testable import Apollo
@testable import ApolloAPI
@testable import ApolloSQLite
import Foundation
import Testing

@Suite("The outbox", .timeLimit(.minutes(20)))
struct OutboxTests {}

/// Where the mutations of a test are kept, and how they come into the next launch.
final class Place: Sendable {
  enum Kind: CaseIterable, Sendable { case memory, disk, encrypted }

  let kind: Kind
  let folder = root.appendingPathComponent(UUID().uuidString)
  /// Removed when the process ends, and not with an object: an outbox may still write.
  private static let root: URL = {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "apollo-outbox-tests-\(ProcessInfo.processInfo.processIdentifier)")
    atexit { Place.removeRoot() }
    return url
  }()
  private let memory = Outbox.InMemoryStorage()

  init(_ kind: Kind) throws {
    self.kind = kind
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private static func removeRoot() { try? FileManager.default.removeItem(at: root) }

  /// What a process would leave that is stopped now.
  func copy() throws -> Place {
    let other = try Place(kind)
    var change = Outbox.Change()
    let contents = memory.load()
    for row in contents.rows { change.saved[row.id] = row }
    change.serverIDs = contents.serverIDs
    other.memory.write(change)
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      // (What writes to it now may shorten it, which Foundation does not notice when it copies.)
      let file = folder.appendingPathComponent(name)
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder)
      let target = other.folder.appendingPathComponent(name)
      if isFolder.boolValue {
        try FileManager.default.copyItem(at: file, to: target)
      } else {
        try PrivateFile.copy(file, to: target)
      }
    }
    return other
  }

  var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted() }

  var file: URL { folder.appendingPathComponent("outbox.sqlite") }

  func storage() throws -> any Outbox.Storage {
    switch kind {
    case .memory: return memory
    case .disk: return try SQLiteOutboxStorage(fileURL: file)
    case .encrypted:
      var configuration = SQLiteOutboxStorage.Configuration()
      configuration.codec = Scrambled()
      return try SQLiteOutboxStorage(fileURL: file, configuration: configuration)
    }
  }

  /// The settings of one launch, in which waits are short.
  func launch(_ configure: (inout Outbox.Configuration) -> Void = { _ in }) throws -> Outbox.Configuration {
    var retry = MaxRetryInterceptor.Configuration.queuedMutations
    retry.baseDelay = 0.01
    retry.maxDelay = 0.05
    var configuration = Outbox.Configuration(storage: try storage(), retry: retry)
    configure(&configuration)
    return configuration
  }
}

struct Scrambled: SQLiteCodec {
  func encode(_ data: Data, for key: String) throws -> Data { Data(key.utf8) + data.map { $0 ^ 0x5a } }

  func decode(_ data: Data, for key: String) throws -> Data {
    guard data.starts(with: Data(key.utf8)) else { throw CocoaError(.coderInvalidValue) }
    return Data(data.dropFirst(key.utf8.count).map { $0 ^ 0x5a })
  }
}

extension ApolloStore {
  /// The texts of the list, as a reader of the cache sees them; nil if the cache does not have it.
  func texts() async throws -> [String]? {
    (try? await load(TodosQuery()))?.todos.map(\.text)
  }

  func text(_ id: String) async throws -> String? {
    let key = "Todo:\(id)"
    return try? await withinReadTransaction { try $0.readObject(ofType: Todo.self, withKey: key).text }
  }
}

extension Outbox.QueuedMutation {
  /// A name for each of the states that came, with the outcome at the end.
  ///
  /// - Parameter isFollowed: Called with the first of them.
  func history(_ isFollowed: () -> Void = {}) async -> [String] {
    var names: [String] = []
    for await state in states {
      if names.isEmpty { isFollowed() }
      switch state {
      case .queued: names.append("queued")
      case .waitingForNetwork: names.append("offline")
      case .waiting: names.append("waiting")
      case .sending(let attempt): names.append("sending \(attempt)")
      case .succeeded: names.append("succeeded")
      case .failed: names.append("failed")
      case .cancelled: names.append("cancelled")
      }
    }
    return names
  }
}

/// Numbers that look random, and are the same each time.
struct Numbers: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 &+ 1 }

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ state >> 29
  }
}
