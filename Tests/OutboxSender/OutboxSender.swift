// Puts mutations into an outbox on disk and sends them, and says what it has done. Tests stop it at any moment, and take
// room or rights away from it.

import Apollo
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
enum OutboxSender {
  static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count >= 3, let url = URL(string: arguments[2]) else {
      say("usage: outbox-sender send|drain|full|open FOLDER URL [...]")
      exit(2)
    }
    let folder = URL(fileURLWithPath: arguments[1], isDirectory: true), more = arguments.dropFirst(3).first ?? ""
    do {
      switch arguments[0] {
      case "send": try await send(folder, url, name: more, count: Int(arguments.dropFirst(4).first ?? ""))
      case "drain": try await drain(folder, url)
      case "full": try await sendWithoutRoom(folder, url)
      case "open": try await open(folder, as: more)
      default: say("unknown: \(arguments)")
      }
    } catch {
      say("error: \(error)")
    }
  }

  static func say(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }

  static func client(_ folder: URL, _ url: URL) throws -> ApolloClient {
    var retry = MaxRetryInterceptor.Configuration.queuedMutations
    retry.baseDelay = 0.005
    retry.maxDelay = 0.02
    let store = ApolloStore(
      cache: try SQLiteNormalizedCache(fileURL: folder.appendingPathComponent("cache.sqlite")))
    return ApolloClient(
      configuration: ApolloClient.Configuration(
        url: url, cache: .store(store),
        outbox: Outbox.Configuration(
          storage: try SQLiteOutboxStorage(fileURL: folder.appendingPathComponent("outbox.sqlite")), retry: retry),
        networkMonitor: ManualNetworkMonitor()))
  }

  /// Enqueues one mutation after the other, in two scopes, and says which are kept. Without a count, it has no end.
  static func send(_ folder: URL, _ url: URL, name: String, count: Int?) async throws {
    let client = try client(folder, url)
    say("opened")
    for number in 1...(count ?? .max - 1) {
      let text = "\(name).\(number)"
      try await client.enqueue(
        AddEntry(text: text), optimisticData: AddEntry.Data(id: "guess \(text)"), scope: "scope \(number % 2)")
      say("kept \(text)")
      // So the server keeps up.
      while client.outbox.count > 20 { try await Task.sleep(for: .milliseconds(1)) }
    }
    try await client.outbox.flush()
  }

  /// Sends what is there, and says how many were given up.
  static func drain(_ folder: URL, _ url: URL) async throws {
    let client = try client(folder, url)
    while true {
      try await client.outbox.flush()
      if client.outbox.count == 0 { break }
      try await Task.sleep(for: .milliseconds(5))
    }
    say("failed \(await client.outbox.failed.count)")
  }

  /// Enqueues until there is no room, and again when there is.
  static func sendWithoutRoom(_ folder: URL, _ url: URL) async throws {
    signal(SIGXFSZ, SIG_IGN)
    let client = try client(folder, url)
    try await client.outbox.ready()
    await client.outbox.pause()
    var limit = rlimit()
    getrlimit(resource, &limit)
    limit.rlim_cur = 150_000
    setrlimit(resource, &limit)
    var failure: (any Error)?, kept = 0
    while failure == nil, kept < 2000 {
      do {
        try await client.enqueue(AddEntry(text: "\(kept) " + String(repeating: "x", count: 2000)))
        kept += 1
      } catch {
        failure = error
      }
    }
    say("failed \(failure.map { "\($0)" } ?? "never")")
    limit.rlim_cur = limit.rlim_max
    setrlimit(resource, &limit)
    try await client.enqueue(AddEntry(text: "last"))
    await client.outbox.resume()
    try await client.outbox.flush()
    say("sent \(kept + 1) of which are left \(client.outbox.count)")
  }

  /// Opens an outbox, as a user without rights or as it is, and says what came of it.
  static func open(_ folder: URL, as user: String) async throws {
    if user == "self" {
      // It keeps its rights.
    } else if let user = uid_t(user), getuid() == 0 {
      guard setgid(gid_t(user)) == 0, setuid(user) == 0 else { return say("skipped: the user cannot be changed") }
    } else if getuid() == 0 {
      return say("skipped: a root may write everywhere")
    }
    let storage = try SQLiteOutboxStorage(fileURL: folder.appendingPathComponent("outbox.sqlite"))
    say("opened; put aside: \(storage.recoveries.map(\.description))")
  }
}

/// The limit of the size of files.
#if canImport(Glibc)
  private let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
#else
  private let resource = RLIMIT_FSIZE
#endif

/// Adds an entry to a log of the server, as the generator writes it.
struct AddEntry: GraphQLMutation {
  static let operationName = "AddEntry"
  static let operationDocument = OperationDocument("mutation AddEntry($text: String!) { addEntry(text: $text) }")

  var text: String

  func __writeVariables(to writer: inout __JSONWriter) { writer.write("text", text) }

  struct Data: SelectionSet, Hashable {
    var id: String
    static let __fields = __FieldTable(version: 1, "addEntry(text:$text)")
    init(id: String) { self.id = id }
    init(__reading object: inout __ObjectReader) throws(__ReadError) { id = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, id) }
  }
}
