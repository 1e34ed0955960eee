// Writes to the file of a cache, and says what it has done. Tests stop it at any moment, take room away from it, or run
// several beside each other.

import ApolloCache
import ApolloSQLite
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

@main
enum SQLiteWriter {
  static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count >= 2 else {
      say("usage: sqlite-writer rounds|fields|full|open FILE [...]")
      exit(2)
    }
    let file = URL(fileURLWithPath: arguments[1])
    do {
      switch (arguments[0], arguments.dropFirst(2).first) {
      case ("rounds", let seed?): try await writeRounds(file, seed: UInt64(seed) ?? 0)
      case ("fields", let name?):
        try await writeField(file, name, seconds: Double(arguments.dropFirst(3).first ?? "") ?? 1)
      case ("full", _): try await writeWithoutRoom(file)
      case ("open", let user): try await open(file, as: user)
      default: say("unknown: \(arguments)")
      }
    } catch {
      say("error: \(error)")
    }
  }

  static func say(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }

  /// Writes the number of the round to some fields of the root, round after round, and says which are on disk for sure.
  static func writeRounds(_ file: URL, seed: UInt64) async throws {
    var configuration = SQLiteNormalizedCache.Configuration()
    // Every second run removes records all the time, in three ways.
    let removes = seed % 2 == 1
    if removes { configuration.sizeLimit = 300_000 }
    let store = ApolloStore(cache: try SQLiteNormalizedCache(fileURL: file, configuration: configuration))
    say("opened")
    for round in 1... {
      try await store.publish(records: [
        "QUERY_ROOT": Dictionary(
          uniqueKeysWithValues: fields(of: round, seed: seed).map { ("n(k:\($0))", Record.Value.int(round)) }),
        "Filler:\(round % 400)": ["text": .string(String(repeating: "x", count: round * 37 % 5000)), "n": .int(round)],
      ])
      if removes, round % 40 == 0 { _ = try await store.collectGarbage() }
      if removes, round % 55 == 0 {
        try await store.withinReadWriteTransaction { try $0.removeObjects(matching: "Filler:1*") }
      }
      if round % 7 == 0 {
        try await store.flush()
        say("flushed \(round)")
      }
    }
  }

  /// The fields that a round writes. The tests count in the same way.
  static func fields(of round: Int, seed: UInt64) -> Set<Int> {
    [round % 20, (round * 7 + Int(seed % 1000)) % 20]
  }

  /// Counts in one field of a record, while another process counts in another one.
  static func writeField(_ file: URL, _ name: String, seconds: Double) async throws {
    let store = ApolloStore(cache: try SQLiteNormalizedCache(fileURL: file)), start = Date()
    var count = 0
    while Date().timeIntervalSince(start) < seconds {
      count += 1
      try await store.publish(records: ["Shared:1": [name: .int(count), "last": .string(name)]])
      if count % 3 == 0 { try await store.flush() }
    }
    try await store.flush()
    say("\(name) \(count)")
  }

  /// Writes until there is no room, and again when there is.
  static func writeWithoutRoom(_ file: URL) async throws {
    signal(SIGXFSZ, SIG_IGN)
    let store = ApolloStore(cache: try SQLiteNormalizedCache(fileURL: file))
    try await store.publish(records: ["Item:0": ["n": 0]])
    try await store.flush()
    var limit = rlimit()
    getrlimit(resource, &limit)
    limit.rlim_cur = 200_000
    setrlimit(resource, &limit)
    var failure: (any Error)?, count = 0
    while failure == nil, count < 2000 {
      count += 1
      try await store.publish(records: [
        "Item:\(count)": ["n": .int(count), "text": .string(String(repeating: "y", count: 1000))]
      ])
      if count % 20 == 0 { do { try await store.flush() } catch { failure = error } }
    }
    say("failed \(count): \(failure.map { "\($0)" } ?? "never")")
    limit.rlim_cur = limit.rlim_max
    setrlimit(resource, &limit)
    try await store.flush()
    say("flushed \(count)")
  }

  /// Opens a file as a user without rights, and says what came of it.
  static func open(_ file: URL, as user: String?) async throws {
    if let user = user.flatMap({ uid_t($0) }), getuid() == 0 {
      guard setgid(gid_t(user)) == 0, setuid(user) == 0 else { return say("skipped: the user cannot be changed") }
    } else if getuid() == 0 {
      return say("skipped: a root may write everywhere")
    }
    let cache = try SQLiteNormalizedCache(fileURL: file)
    _ = try await cache.merge(records: ["A": ["x": 1]])
    say("opened; put aside: \(cache.recoveries.map(\.description))")
  }
}

/// The limit of the size of files.
#if canImport(Glibc)
  private let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
#else
  private let resource = RLIMIT_FSIZE
#endif
