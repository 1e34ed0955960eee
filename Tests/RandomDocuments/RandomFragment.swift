import Foundation

/// A named fragment of a random document.
struct RandomFragment {
  let name: String
  let type: String
  private(set) var body: String
  private var variables: [(declaration: String, argument: String)] = []

  init(name: String, type: String, body: String) {
    self.name = name
    self.type = type
    self.body = body
  }

  /// The declarations of its variables.
  var declarations: String { Self.list(variables.map(\.declaration)) }

  /// What each of its spreads gives to them. (Within one object all spreads of a fragment have the same arguments.)
  var arguments: String { Self.list(variables.map(\.argument).filter { !$0.isEmpty }) }

  private static func list(_ parts: [String]) -> String {
    parts.isEmpty ? "" : "(" + parts.joined(separator: ", ") + ")"
  }

  func uses(_ variable: String) -> Bool { renamed(variable, "") != body }

  mutating func rename(_ variable: String, _ name: String) { body = renamed(variable, "$" + name) }

  private func renamed(_ variable: String, _ replacement: String) -> String {
    body.replacingOccurrences(
      of: "\\$\(variable)\\b", with: NSRegularExpression.escapedTemplate(for: replacement), options: .regularExpression)
  }

  /// - Parameter argument: The value; empty where the default value is meant.
  mutating func add(_ variable: String, _ declaration: String, _ argument: String) {
    variables.append((declaration, argument.isEmpty ? "" : "\(variable): \(argument)"))
  }
}
