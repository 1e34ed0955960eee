import ForeignText
import Foundation
import GraphQLSyntax

/// Writes to standard error, where all texts for people go.
enum Console {
  static let isTerminal = isatty(STDERR_FILENO) == 1
  private static let environment = ProcessInfo.processInfo.environment
  private static let isColored = isTerminal && environment["NO_COLOR"] == nil

  /// The width in columns: that of the terminal, or the variable `COLUMNS`, or 100.
  static let width: Int = {
    var size = winsize()
    if ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
    return environment["COLUMNS"].flatMap(Int.init).map { max($0, 20) } ?? 100
  }()

  static func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }

  /// Writes an error of one or several lines.
  static func error(_ message: String) {
    write(paint("error", "31;1") + ": " + message.shownLines.map(\.shownOnOneLine).joined(separator: "\n") + "\n")
  }

  static func paint(_ text: String, _ code: String) -> String {
    isColored ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text
  }

  static func show(
    _ diagnostics: [Diagnostic], sources: SourceMap, format: InputOptions.DiagnosticsFormat
  ) {
    let style: DiagnosticRenderer.Style =
      switch format {
      case .automatic, .terminal: .terminal(isColored: isColored, width: width)
      case .xcode: .xcode
      case .json: .jsonLines
      }
    var renderer = DiagnosticRenderer(style, sources: sources)
    write(renderer.render(diagnostics))
  }

  /// Writes how long each stage of a run took.
  static func show(_ stages: [(stage: String, duration: Duration)]) {
    for (stage, duration) in stages {
      let name = stage.padding(toLength: 8, withPad: " ", startingAt: 0)
      write("  \(name) \(String(format: "%8.1f", duration / .milliseconds(1))) ms\n")
    }
  }

  /// Shows the stage of a run at a terminal. The next output replaces the line. Without a terminal, nothing is written.
  static func progress(_ text: String) {
    if isTerminal { write("\r\u{1b}[K\(text.prefix(width - 1))") }
  }

  /// Removes what `progress` has written.
  static func endProgress() {
    if isTerminal { write("\r\u{1b}[K") }
  }

  /// `3 operations`
  static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}
