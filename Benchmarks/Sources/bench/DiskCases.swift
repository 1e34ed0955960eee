import Apollo
import ApolloSQLite
import CDisk
import Foundation
import People

/// The cache on disk, beside SQLite's C interface with the same rows. The C cases make no structs, and read no JSON.
func disk(_ size: String, _ bytes: [UInt8]) -> [Benchmark] {
  lazy var folder = {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("apollo-bench-\(UUID().uuidString)")
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    writeToDisk(bytes, folder.appendingPathComponent("rows.sqlite"))
    _ = disk_load(folder.appendingPathComponent("rows.sqlite").path)
    return folder
  }()
  /// A file that is not there yet.
  func new() -> URL {
    let file = folder.appendingPathComponent("new.sqlite")
    for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file.path + suffix) }
    return file
  }
  lazy var diskStore = open(new())
  return [
    Benchmark("\(size) written to disk", bytes.count, against: "\(size) written to disk by C", isConcurrent: true) {
      writeToDisk(bytes, new())
    },
    Benchmark("\(size) written to disk by C", bytes.count, isConcurrent: true) {
      guard disk_write(new().path) == 0 else { fatalError("C cannot write.") }
    },
    Benchmark("\(size) read from disk", bytes.count, against: "\(size) read from disk by C", isConcurrent: true) {
      let store = open(folder.appendingPathComponent("rows.sqlite"))
      wait { blackHole(try? await store.load(UsersQuery())) }
      close(store)
    },
    Benchmark("\(size) read from disk by C", bytes.count, isConcurrent: true) {
      blackHole(disk_read(folder.appendingPathComponent("rows.sqlite").path))
    },
    Benchmark("\(size) decode + records, again, in front of a disk", bytes.count, isConcurrent: true) {
      write(bytes, to: diskStore)
    },
  ]
}

/// A file with many records is opened, and some of them are read: what an app does when it starts.
func firstScreen() -> [Benchmark] {
  lazy var file = {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("apollo-bench-\(UUID().uuidString).sqlite")
    let store = open(file), users = userRecords(count: 100_000)
    wait {
      try? await store.publish(records: users)
      try? await store.flush()
    }
    close(store)
    return file
  }()
  let keys = Set((0..<50).map { "User:\($0 * 1999)" })
  return [
    Benchmark("50 of 100,000 records from disk", 1000, against: "50 of 100,000 records by C", isConcurrent: true) {
      let store = open(file)
      wait {
        guard let found = try? await store.cache.loadRecords(forKeys: keys), found.count == 50 else {
          fatalError("Records are missing.")
        }
      }
      close(store)
    },
    Benchmark("50 of 100,000 records by C", 1000, isConcurrent: true) {
      guard disk_read_some(file.path, 50, 1999) > 0 else { fatalError("C cannot read.") }
    },
  ]
}

private func open(_ file: URL) -> ApolloStore {
  guard let cache = try? SQLiteNormalizedCache(fileURL: file) else { fatalError("\(file.path) cannot be opened.") }
  return ApolloStore(cache: cache)
}

private func close(_ store: ApolloStore) {
  wait { try? await (store.cache as? SQLiteNormalizedCache)?.close() }
}

private func writeToDisk(_ bytes: [UInt8], _ file: URL) {
  let store = open(file)
  write(bytes, to: store)
  wait { try? await store.flush() }
  close(store)
}
