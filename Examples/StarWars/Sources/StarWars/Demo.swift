import Foundation

/// Runs numbered steps, prints what each asked and got, and counts those whose checks held.
@MainActor final class Demo {
  private var passed = 0
  private var number = 0
  private let total: Int
  private let isTerminal = isatty(1) == 1

  init(steps: Int) { total = steps }

  /// - Parameters:
  ///   - title: What the step shows.
  ///   - asked: The operation, as a reader of GraphQL would write it.
  ///   - body: Prints the answer through ``Answer`` and checks it.
  func step(_ title: String, asked: String, _ body: (inout Answer) async throws -> Void) async {
    number += 1
    say("\n" + style("\(number). \(title)", bold: true))
    say(style("   \(asked)", dim: true))
    var answer = Answer()
    do {
      try await body(&answer)
    } catch {
      answer.lines.append("unexpected error: \(error)")
      answer.failures.append("it should not have failed")
    }
    for line in answer.lines { say("   → \(line)") }
    for failure in answer.failures { say("   ✗ \(failure)") }
    if answer.failures.isEmpty { passed += 1 }
  }

  /// Prints the last line. True if every step passed.
  func finish() -> Bool {
    say("\ndemo: \(passed) of \(total) steps passed")
    return passed == total && number == total
  }

  func say(_ text: String) {
    // Not `print`: its buffer would hold the lines back when the output is a pipe.
    FileHandle.standardOutput.write(Data((text + "\n").utf8))
  }

  private func style(_ text: String, bold: Bool = false, dim: Bool = false) -> String {
    guard isTerminal, bold || dim else { return text }
    return "\u{1b}[\(bold ? 1 : 2)m\(text)\u{1b}[0m"
  }
}

/// What came of a step.
struct Answer {
  fileprivate(set) var lines: [String] = []
  fileprivate(set) var failures: [String] = []

  mutating func show(_ line: String) { lines.append(line) }

  /// - Parameter claim: What should be true.
  mutating func check(_ condition: Bool, _ claim: String) {
    if !condition { failures.append("should be true: \(claim)") }
  }
}
