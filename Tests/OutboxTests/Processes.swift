import Foundation
import Testing

/// Another process.
struct Child {
  /// An executable of this package, which was built together with the tests.
  private static func executable(_ name: String) -> URL {
    let products = CommandLine.arguments.first.map { URL(fileURLWithPath: $0).deletingLastPathComponent() }
    let places = [products, Bundle.main.bundleURL, Bundle.main.executableURL?.deletingLastPathComponent()]
    return places.compactMap { $0?.appendingPathComponent(name) }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
      ?? URL(fileURLWithPath: ".build/debug/\(name)")
  }

  let process = Process()
  private let output: URL

  /// Starts a process.
  ///
  /// - Parameters:
  ///   - name: The name of the executable.
  ///   - arguments: Its arguments.
  ///   - command: The program that starts it, with arguments. The default is none.
  init(_ name: String, _ arguments: [String], under command: [String] = []) throws {
    output = FileManager.default.temporaryDirectory.appendingPathComponent("apollo-child-\(UUID().uuidString)")
    _ = FileManager.default.createFile(atPath: output.path, contents: nil)
    let words = command + [Self.executable(name).path] + arguments
    process.executableURL = URL(fileURLWithPath: words[0])
    process.arguments = Array(words.dropFirst())
    let handle = try FileHandle(forWritingTo: output)
    process.standardOutput = handle
    process.standardError = handle
    try process.run()
  }

  /// Waits until it has ended, and returns what it said.
  func end() async throws -> [String] {
    while process.isRunning { try await Task.sleep(for: .milliseconds(5)) }
    defer { try? FileManager.default.removeItem(at: output) }
    let text = (try? String(contentsOf: output, encoding: .utf8)) ?? ""
    // Its last line may not have been written to its end.
    return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  /// Stops it at once, as the system does.
  func kill() async throws -> [String] {
    Foundation.kill(process.processIdentifier, SIGKILL)
    return try await end()
  }
}

extension Process {
  /// What an executable of this package says until it ends.
  static func lines(of name: String, _ arguments: [String]) async throws -> [String] {
    try await Child(name, arguments).end()
  }
}

/// Shows which calls of the system a process makes.
enum Strace {
  private static let path = ["/usr/bin/strace", "/usr/local/bin/strace"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// Whether it is there, and may look at other processes.
  static let isThere: Bool = {
    guard let path else { return false }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = ["-o", "/dev/null", "/bin/true"]
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()

  static func command(writingTo file: URL) -> [String] {
    [
      path ?? "strace", "-f", "-y", "-s", "4096", "-o", file.path, "-e",
      "trace=fsync,fdatasync,sendto,sendmsg,write,writev,pwrite64",
    ]
  }

  /// Looks whether each mutation was written to the file of the outbox, and that synchronized, before it went to a socket.
  ///
  /// In the file the variables are in base64, and in the request they are JSON.
  static func check(_ trace: URL, outbox: String) throws {
    let mutations = (1...400).map { number in
      let text = #""text":"0.\#(number)""#
      return (number: number, stored: Data("{\(text)}".utf8).base64EncodedString(), sent: #"\"text\":\"0.\#(number)\""#)
    }
    var written: Set<Int> = [], synchronized: Set<Int> = [], sent: Set<Int> = []
    for line in String(decoding: try Data(contentsOf: trace), as: UTF8.self).split(separator: "\n") {
      if line.contains(outbox) {
        if line.contains("fsync(") || line.contains("fdatasync(") {
          synchronized.formUnion(written)
        } else {
          for mutation in mutations where line.contains(mutation.stored) { written.insert(mutation.number) }
        }
      } else if line.contains("socket:") || line.contains("TCP:") {
        for mutation in mutations where line.contains(mutation.sent) {
          sent.insert(mutation.number)
          #expect(
            synchronized.contains(mutation.number), "mutation \(mutation.number) was sent before it was on the disk")
        }
      }
    }
    #expect(sent.count == 12, "only \(sent.count) were seen to be sent, \(synchronized.count) to be written")
  }
}
