public import Foundation
import Testing

extension Process {
  /// A process that starts while another one does inherits the pipe that tells Foundation of the other one's end.
  private static let starting = NSLock()

  /// Starts the process, while no other one is started.
  public func start() throws { try Self.starting.withLock { try run() } }
}

/// A process whose output goes to files, which never fill up, and whose end a thread of its own waits for.
public final class Child: @unchecked Sendable {
  // Sendable: the process is set up by `init`, and from then on only asked and ended.

  /// What a process has left.
  public struct Outcome: Sendable {
    /// The status; of a process that a signal has ended, the number of the signal.
    public var status: Int32
    public var isEndedBySignal: Bool
    public var output: Data
    public var errors: String

    /// The output as text.
    public var text: String { String(decoding: output, as: UTF8.self) }
  }

  private let process = Process()
  private let folder: URL
  private let end = Awaited<(status: Int32, isSignal: Bool)?>(nil)
  private var files: [URL] { ["in", "out", "err"].map { folder.appendingPathComponent($0) } }

  /// Starts a process.
  ///
  /// - Parameters:
  ///   - executable: The program. With `/usr/bin/env`, the first argument is found as a shell finds it.
  ///   - arguments: Its arguments.
  ///   - environment: What is different in its environment. The default is nothing.
  ///   - directory: Its working directory; nil, the default: that of the tests.
  ///   - input: What it reads; empty by default.
  ///   - joinsErrors: Whether what it writes to its standard error goes to the output as well. The default is false.
  public init(
    _ executable: URL, _ arguments: [String], environment: [String: String] = [:], in directory: URL? = nil,
    input: Data = Data(), joinsErrors: Bool = false
  ) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("apollo-child-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for file in files { _ = FileManager.default.createFile(atPath: file.path, contents: nil) }
    try input.write(to: files[0])
    process.executableURL = executable
    process.arguments = arguments
    process.currentDirectoryURL = directory
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = try FileHandle(forReadingFrom: files[0])
    let output = try FileHandle(forWritingTo: files[1])
    process.standardOutput = output
    process.standardError = joinsErrors ? output : try FileHandle(forWritingTo: files[2])
    try process.start()
    let (pid, process, end) = (process.processIdentifier, Handed(process), end)
    Thread.detachNewThread {
      let outcome = Self.end(of: pid, process.value)
      end.change { $0 = outcome }
    }
  }

  /// What a thread takes over.
  private struct Handed: @unchecked Sendable {
    // Sendable: the process is only asked, and waited for.
    let value: Process
    init(_ value: Process) { self.value = value }
  }

  /// Waits for the end of a process. (The system tells of it for certain; Foundation may hear of it late.)
  private static func end(of pid: pid_t, _ process: Process) -> (status: Int32, isSignal: Bool) {
    var status: Int32 = 0
    while true {
      if waitpid(pid, &status, 0) == pid { break }
      guard errno == EINTR else {
        // Foundation was faster.
        process.waitUntilExit()
        return (process.terminationStatus, process.terminationReason == .uncaughtSignal)
      }
    }
    let signal = status & 0x7f
    return signal == 0 ? ((status >> 8) & 0xff, false) : (signal, true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  public var isRunning: Bool { end.value == nil }

  /// What it has written to its standard output so far.
  public var output: Data { content(of: files[1]) }

  /// What it has written to its standard error so far.
  public var errors: String { String(decoding: content(of: files[2]), as: UTF8.self) }

  private func content(of file: URL) -> Data {
    do {
      return try Data(contentsOf: file)
    } catch {
      Issue.record(error, "What a process has written cannot be read.")
      return Data()
    }
  }

  /// Waits until it has ended.
  @discardableResult
  public func ended() async throws -> Outcome {
    let end = try await end.take { $0 }
    return Outcome(status: end.status, isEndedBySignal: end.isSignal, output: output, errors: errors)
  }

  /// Stops it at once, as the system does. (It inherits the signals that the thread of a test blocks, and so may not
  /// notice a kinder one.)
  public func kill() {
    // (Another process may have the number of one that has ended.)
    if isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
  }
}

extension Child {
  /// An executable of this package, which was built together with the tests.
  public static func product(_ name: String) -> URL {
    let products = CommandLine.arguments.first.map { URL(fileURLWithPath: $0).deletingLastPathComponent() }
    // On Apple's systems the program that runs the tests is elsewhere, and the tests are in a bundle beside the product.
    let bundles = Bundle.allBundles.map { $0.bundleURL.deletingLastPathComponent() }
    return ([products, Bundle.main.bundleURL, Bundle.main.executableURL?.deletingLastPathComponent()] + bundles)
      .compactMap { $0?.appendingPathComponent(name) }.first { FileManager.default.isExecutableFile(atPath: $0.path) }
      ?? URL(fileURLWithPath: ".build/debug/\(name)")
  }

  /// Starts an executable of this package, whose errors go to its output.
  ///
  /// - Parameters:
  ///   - name: The name of the executable.
  ///   - arguments: Its arguments.
  ///   - command: The program that starts it, with arguments. The default is none.
  public convenience init(product name: String, _ arguments: [String], under command: [String] = []) throws {
    let words = command + [Self.product(name).path] + arguments
    try self.init(URL(fileURLWithPath: words[0]), Array(words.dropFirst()), joinsErrors: true)
  }

  /// The whole lines of its output so far.
  public var lines: [String] {
    String(decoding: output, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      .map(String.init)
  }

  /// Waits until it has ended, and gives the lines of its output.
  public func linesAtEnd() async throws -> [String] {
    try await ended()
    return lines
  }

  /// What an executable of this package says until it ends.
  public static func lines(ofProduct name: String, _ arguments: [String]) async throws -> [String] {
    try await Child(product: name, arguments).linesAtEnd()
  }
}
