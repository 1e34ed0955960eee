public import ApolloTransport
import ApolloCache
public import Foundation

extension Outbox {
  /// Keeps the mutations of an outbox: in memory (``InMemoryStorage``), on disk (`SQLiteOutboxStorage` of `ApolloSQLite`),
  /// or wherever an app wants.
  ///
  /// Its functions may be called at the same time, but for ``write(_:)``, which is called once at a time.
  public protocol Storage: AnyObject, Sendable {
    /// Gives everything that is there. Only the default implementations of ``load(ownedBy:)`` and ``removeAll()`` call
    /// it, each time that they are called.
    ///
    /// - Returns: The mutations and the known ids.
    /// - Throws: Any error. The outbox takes no mutations then.
    func load() async throws -> Contents

    /// Gives what an owner has. It is called before anything is written, and again each time that the outbox gets another
    /// owner.
    ///
    /// - Parameter owner: The owner, as ``Row/owner`` and ``Change/owner`` have it. nil: what has no owner is meant.
    /// - Returns: The mutations and the known ids of this owner, and the highest number of all mutations of others. The
    ///   default implementation calls ``load()`` and takes the mutations of the owner from it, with the ids of all owners.
    /// - Throws: Any error. The outbox takes no mutations then, and calls it again after a while.
    func load(ownedBy owner: String?) async throws -> Contents

    /// Removes everything of every owner: mutations in any state, files and ids. When it returns, nothing of it is left.
    /// It is called while nothing else is.
    ///
    /// The default implementation writes a ``Change`` that removes all mutations and forgets the ids that servers have
    /// given. It does not know the owners of the ids, so a storage that keeps them by owner implements this function.
    ///
    /// - Throws: Any error. Then some of it may be left.
    func removeAll() async throws

    /// Makes copies of files that stay as they are until the mutation is removed, whatever becomes of the originals.
    ///
    /// - Parameters:
    ///   - files: The files.
    ///   - id: The mutation, which is written after that.
    /// - Returns: The copies, in the same order. The default implementation reads them into memory.
    /// - Throws: Any error, such as that of a file that cannot be read. The mutation is not taken then.
    func keep(_ files: [GraphQLFile], of id: UUID) async throws -> [GraphQLFile]

    /// Makes a change, all of it or nothing. When it returns, the change must not get lost any more, even if the device
    /// loses power: a mutation is sent only after that.
    ///
    /// - Parameter change: The change.
    /// - Throws: Any error. Then nothing has changed.
    func write(_ change: Change) async throws

    /// Calls a body when what was written has to be written again, such as when a damaged file was replaced while it was
    /// open. The default implementation never calls it.
    func onLoss(_ body: @escaping @Sendable () -> Void)

    /// Another outbox may use the storage from now on.
    func close() async
  }

  /// Keeps mutations as long as the process runs.
  public final class InMemoryStorage: Storage {
    private let state = Locked((rows: [UUID: Row](), serverIDs: [String?: [String: String?]]()))

    /// Makes an empty storage.
    public init() {}

    /// What was written, of every owner.
    public func load() -> Contents {
      state.withLock { state in
        Contents(
          rows: Array(state.rows.values), serverIDs: state.serverIDs.values.reduce(into: [:]) { $0.merge($1) { $1 } })
      }
    }

    /// What an owner has.
    public func load(ownedBy owner: String?) -> Contents {
      state.withLock { state in
        let rows = state.rows.values
        return Contents(
          rows: rows.filter { $0.owner == owner }, serverIDs: state.serverIDs[owner] ?? [:],
          lastUnreadNumber: rows.lazy.filter { $0.owner != owner }.map(\.number).max() ?? 0)
      }
    }

    /// Makes a change.
    public func write(_ change: Change) {
      state.withLock { state in
        for id in change.removed { state.rows[id] = nil }
        state.rows.merge(change.saved) { $1 }
        state.serverIDs[change.owner, default: [:]].merge(change.serverIDs) { $1 }
      }
    }

    /// Removes everything.
    public func removeAll() { state.withLock { $0 = ([:], [:]) } }
  }
}

extension Outbox.Storage {
  /// Takes the mutations of an owner from all that are there.
  public func load(ownedBy owner: String?) async throws -> Outbox.Contents {
    var contents = try await load()
    let others = contents.rows.filter { $0.owner != owner }
    contents.rows.removeAll { $0.owner != owner }
    contents.lastUnreadNumber = max(contents.lastUnreadNumber, others.map(\.number).max() ?? 0)
    return contents
  }

  /// Writes a change that removes everything.
  public func removeAll() async throws {
    let contents = try await load()
    var change = Outbox.Change()
    change.removed = Set(contents.rows.map(\.id))
    change.serverIDs = contents.serverIDs.mapValues { _ in nil }
    if !change.isEmpty { try await write(change) }
  }

  /// Nothing has to be done.
  public func close() async {}

  /// Nothing gets lost.
  public func onLoss(_ body: @escaping @Sendable () -> Void) {}

  /// Reads the files into memory.
  public func keep(_ files: [GraphQLFile], of id: UUID) async throws -> [GraphQLFile] {
    try files.map { file in
      guard let url = file.fileURL else { return file }
      let data: Data
      do { data = try Data(contentsOf: url) } catch {
        throw GraphQLFile.GraphQLFileError.couldNotReadFile(fileURL: url)
      }
      return GraphQLFile(
        fieldName: file.fieldName, originalName: file.originalName, mimeType: file.mimeType, data: data)
    }
  }
}

/// The storages that an outbox uses. Two outboxes over one storage would each send what is in it.
enum UsedStorages {
  /// A storage that may still have what had to be removed. If it goes, what it has kept is not known any more.
  private struct Unemptied: Sendable {
    weak var storage: (any Outbox.Storage)?
  }

  private static let used = Locked<Set<ObjectIdentifier>>([])
  private static let unemptied = Locked<[ObjectIdentifier: Unemptied]>([:])

  static func insert(_ storage: any Outbox.Storage) -> Bool {
    let id = ObjectIdentifier(storage)
    return used.withLock { $0.insert(id).inserted }
  }

  static func remove(_ storage: any Outbox.Storage) {
    let id = ObjectIdentifier(storage)
    used.withLock { _ = $0.remove(id) }
  }

  /// Whether a storage may still have what had to be removed. Until it is removed, no outbox loads anything of it.
  static func mustBeEmptied(_ storage: any Outbox.Storage) -> Bool {
    let id = ObjectIdentifier(storage)
    // (Another object may have had this identifier.)
    return unemptied.withLock { $0[id]?.storage != nil }
  }

  static func setMustBeEmptied(_ storage: any Outbox.Storage, _ mustBeEmptied: Bool) {
    let id = ObjectIdentifier(storage)
    unemptied.withLock { unemptied in
      unemptied = unemptied.filter { $0.value.storage != nil }
      unemptied[id] = mustBeEmptied ? Unemptied(storage: storage) : nil
    }
  }
}
