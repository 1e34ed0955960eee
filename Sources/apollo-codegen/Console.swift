import Foundation
import GraphQLSyntax

/// Standard error: everything for people goes there.
enum Console {
  static let isTerminal = isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["NO_COLOR"] == nil

  static func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }

  static func error(_ message: String) { write(paint("error", "31;1") + ": " + message + "\n") }

  static func paint(_ text: String, _ code: String) -> String {
    isTerminal ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text
  }

  static func show(
    _ diagnostics: [Diagnostic], sources: SourceMap, format: InputOptions.DiagnosticsFormat
  ) {
    let style: DiagnosticRenderer.Style =
      switch format {
      case .automatic, .terminal: .terminal(isColored: isTerminal)
      case .xcode: .xcode
      case .json: .jsonLines
      }
    var renderer = DiagnosticRenderer(style, sources: sources)
    write(renderer.render(diagnostics))
  }

  /// Relative to the current folder, if the path is below it.
  static func shortened(_ path: String) -> String {
    let current = FileManager.default.currentDirectoryPath + "/"
    return path.hasPrefix(current) ? String(path.dropFirst(current.count)) : path
  }

  /// What is going on, for people who wait; it is overwritten by what follows.
  static func progress(_ text: String) {
    if isTerminal { write("\r\u{1b}[K\(text)") }
  }

  /// Removes what `progress` has written.
  static func endProgress() {
    if isTerminal { write("\r\u{1b}[K") }
  }

  /// `3 operations`
  static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}
