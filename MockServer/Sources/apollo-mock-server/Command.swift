import Apollo
import ApolloMockServer
import ApolloMocks
import ArgumentParser
import Dispatch
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@main
struct Command: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "apollo-mock-server",
    abstract: "A GraphQL server made of a schema, on this machine.",
    discussion: """
      Every operation is answered with values that fit their types. Equal seeds give equal values; what mutations change \
      stays changed until the server is stopped. A browser that opens the server is shown a page to try operations.

        apollo-mock-server --schema schema.graphqls
        apollo-mock-server --schema schema.json --mocks mocks.graphqls --latency 300ms --seed 7
        apollo-mock-server --record real.json --from https://example.com/graphql
        apollo-mock-server --replay real.json
      """,
    version: "1.0")

  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "A file with the schema, as SDL or as the JSON of an introspection. Several are read as one.", valueName: "file"))
  var schema: [String] = []

  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "A file that extends the schema with @mock(value: …), @mock(examples: […]) and the like.", valueName: "file"))
  var mocks: [String] = []

  @Option(name: .shortAndLong, help: "The port; 0 for a free one.")
  var port: UInt16 = 4000

  @Option(name: .long, help: ArgumentHelp("How long each field of a root takes: 300ms, 2s.", valueName: "time"))
  var latency: Interval?

  @Option(name: .long, help: "Chooses the values.")
  var seed: UInt64 = 1

  @Option(name: .long, help: ArgumentHelp("How many of the nullable values are null, from 0 to 1.", valueName: "share"))
  var nulls: Double = 0

  @Option(name: .long, help: ArgumentHelp("The time between two events of a subscription.", valueName: "time"))
  var every = Interval(duration: .seconds(2))

  @Option(name: .long, help: ArgumentHelp("Writes what the server at --from answers to a cassette.", valueName: "file"))
  var record: String?

  @Option(name: .long, help: ArgumentHelp("The address of the server to record.", valueName: "address"))
  var from: String?

  @Option(name: .long, help: ArgumentHelp("Answers with what is on a cassette.", valueName: "file"))
  var replay: String?

  @Flag(name: .shortAndLong, help: "Prints no line for each operation.")
  var quiet = false

  func validate() throws {
    let ways = [!schema.isEmpty, record != nil, replay != nil].filter { $0 }.count
    guard ways == 1 else {
      throw ValidationError("Give one of --schema, --record and --replay.")
    }
    guard (record == nil) == (from == nil) else {
      throw ValidationError("--record FILE and --from ADDRESS belong together.")
    }
    if let from, URL(string: from)?.scheme?.hasPrefix("http") != true {
      throw ValidationError("\"\(from)\" is not the address of a server: it begins with https:// or http://.")
    }
  }

  func run() async throws {
    let (session, what, cassette) = try answers()
    let server: MockServer
    do {
      server = try await MockServer.start(answering: session, port: port)
    } catch {
      throw Failure(
        "Port \(port) cannot be used: \(error.localizedDescription). Choose another one with --port, or 0 for a free one."
      )
    }
    Terminal.write(
      """
      \(what)
        HTTP        \(server.url.absoluteString)
        WebSocket   \(server.webSocketURL.absoluteString)
        Try it      http://127.0.0.1:\(server.port)/
      Control-C stops it.
      """)
    await Signals.untilTold()
    await server.stop()
    if let cassette {
      try cassette.save()
      Terminal.write("Recorded into \(cassette.file.path).")
    }
  }

  /// What answers, and what to say of it.
  private func answers() throws -> (any ApolloURLSession, String, Cassette?) {
    if let replay {
      let cassette = try Cassette(file: URL(fileURLWithPath: replay), mode: .replay)
      return (LoggingSession(cassette, isQuiet: quiet), "What is recorded in \(replay):", nil)
    }
    if let record, let from, let url = URL(string: from) {
      // (The server is to see that it is a cassette: it answers for a server that cannot be reached.)
      let cassette = try Cassette(
        file: URL(fileURLWithPath: record), over: LoggingSession(ForwardingSession(url: url), isQuiet: quiet),
        mode: .record)
      return (cassette, "\(from), recorded into \(record):", cassette)
    }
    for file in schema + mocks where !FileManager.default.isReadableFile(atPath: file) {
      throw Failure("There is no file \(file).")
    }
    var made = try MockSchema(contentsOf: (schema + mocks).map { URL(fileURLWithPath: $0) }, seed: seed)
      .nulls(nulls).emitting(every: every.duration)
    if let latency { made = try made.latency(latency.duration) }
    return (
      LoggingSession(MockNetworkTransport(.schema(made)).session, isQuiet: quiet),
      "A server made of \(schema.joined(separator: ", ")), with the seed \(seed):", nil
    )
  }
}

struct Failure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// A duration as an argument: `300ms`, `2s`, `1.5s`, `1m`.
struct Interval: ExpressibleByArgument {
  var duration: Duration

  init(duration: Duration) { self.duration = duration }

  init?(argument: String) {
    let number = argument.prefix { $0.isNumber || $0 == "." }
    guard let value = Double(number), value.isFinite, value < 1e6 else { return nil }
    switch argument.dropFirst(number.count) {
    case "ms": duration = .milliseconds(value)
    case "s", "": duration = .seconds(value)
    case "m": duration = .seconds(value * 60)
    default: return nil
    }
  }

  var defaultValueDescription: String { "\(duration / .seconds(1))s" }
}

enum Signals {
  /// Returns when the process is told to end.
  static func untilTold() async {
    let (told, continuation) = AsyncStream<Void>.makeStream()
    let sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number)
      source.setEventHandler { continuation.finish() }
      source.resume()
      return source
    }
    for await _ in told {}
    for source in sources { source.cancel() }
  }
}

enum Terminal {
  /// Writes a line at once. (`print` would keep it in a buffer when the output is a pipe.)
  static func write(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }
}
