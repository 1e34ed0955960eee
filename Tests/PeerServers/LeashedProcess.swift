import Foundation
import Testing
import Waiting

/// A process that ends with the program that started it.
final class LeashedProcess: @unchecked Sendable {
  // Sendable: started by `init`, and from then on only read and ended.

  private let process = Process()
  /// The process's shell waits for its end, and so notices when this program is gone.
  private let leash = Pipe()
  private let ended = Event()
  /// What the process writes to its standard error.
  let errors = Pipe()

  /// - Parameter scratch: A folder that is removed when the process has ended.
  init(_ arguments: [String], environment: [String: String] = [:], scratch: URL? = nil) throws {
    // (The shell lets go of the standard error, whose end then says that the process has ended.)
    let script = #"scratch=$1; shift; "$@" & exec 2>/dev/null; cat >/dev/null; kill -9 $!; wait; rm -rf "$scratch""#
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", script, "sh", scratch?.path ?? ""] + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = leash
    process.standardError = errors
    process.standardOutput = FileHandle.nullDevice
    process.terminationHandler = { [ended] _ in ended.happen() }
    // (A process that starts while another one does would inherit its leash.)
    try process.start()
  }

  /// Reads what the process says until that is enough, and then goes on reading, so that it never has to wait.
  ///
  /// - Parameter isEnough: Is given all that was said so far.
  /// - Returns: All that was said; nil if the process ended before that was enough.
  func read<Value>(_ isEnough: (String) -> Value?) -> (value: Value?, said: String) {
    var said = ""
    while true {
      let data = errors.fileHandleForReading.availableData
      guard !data.isEmpty else { return (nil, said) }
      said += String(decoding: data, as: UTF8.self)
      guard let value = isEnough(said) else { continue }
      errors.fileHandleForReading.readabilityHandler = { handle in
        if handle.availableData.isEmpty { handle.readabilityHandler = nil }
      }
      return (value, said)
    }
  }

  /// Ends the process at once, as if its machine had failed.
  ///
  /// Not with SIGTERM: threads of a test block it, and their children have that from them.
  func kill() { try? leash.fileHandleForWriting.close() }

  /// Ends the process at once, and waits until it is gone.
  func end() async throws {
    kill()
    try await ended.wait()
  }
}

/// A server did not start.
public struct StartFailure: Error, CustomStringConvertible {
  public let description: String
}
