import GraphQLJSON
import GraphQLSyntax

/// A value in a configuration file, with the path of keys that lead to it.
struct ConfigurationNode {
  let path: String
  let node: JSONNode
  /// The configuration's file.
  let source: Source.ID

  var span: SourceSpan { SourceSpan(node.range, in: source) }

  func error(_ message: String, help: String? = nil) -> DiagnosticsError {
    DiagnosticsError([Diagnostic(.invalidConfiguration, message, at: span, help: help)])
  }

  func mismatch(_ expected: String) -> DiagnosticsError {
    error("\(path.isEmpty ? "The configuration" : "\"\(path)\"") should be \(expected), but is \(node.kindName).")
  }

  /// The value of a member; nil if there is none, or if it is null.
  subscript(key: String) -> ConfigurationNode? {
    node[key].map { child($0, key) }
  }

  func child(_ value: JSONNode, _ name: String) -> ConfigurationNode {
    ConfigurationNode(path: path.isEmpty ? name : path + "." + name, node: value, source: source)
  }

  func required(_ key: String) throws(DiagnosticsError) -> ConfigurationNode {
    guard let value = self[key] else {
      throw error("\(path.isEmpty ? "The configuration" : "\"\(path)\"") needs the key \"\(key)\".")
    }
    return value
  }

  /// The members of an object.
  func members() throws(DiagnosticsError) -> [(name: String, value: ConfigurationNode)] {
    guard case .object(let members) = node.value else { throw mismatch("an object") }
    return members.map { ($0.name, child($0.value, $0.name)) }
  }

  func string() throws(DiagnosticsError) -> String {
    guard case .string(let text) = node.value else { throw mismatch("a string") }
    return text
  }

  func boolean() throws(DiagnosticsError) -> Bool {
    guard case .boolean(let value) = node.value else { throw mismatch("true or false") }
    return value
  }

  func number() throws(DiagnosticsError) -> Double {
    guard case .number(let digits) = node.value, let value = Double(digits) else { throw mismatch("a number") }
    return value
  }

  /// A limit: a whole number that is not negative.
  func limit() throws(DiagnosticsError) -> Int {
    guard let value = Int(exactly: try number()), value >= 0 else {
      throw error("\"\(path)\" should be a whole number that is not negative.")
    }
    return value
  }

  func list() throws(DiagnosticsError) -> [ConfigurationNode] {
    guard case .array(let elements) = node.value else { throw mismatch("a list") }
    return elements.enumerated().map { ConfigurationNode(path: "\(path)[\($0)]", node: $1, source: source) }
  }

  func strings() throws(DiagnosticsError) -> [String] {
    var strings: [String] = []
    for element in try list() { strings.append(try element.string()) }
    return strings
  }

  /// One of several words.
  func choice<Value>(_ choices: [(name: String, value: Value)]) throws(DiagnosticsError) -> Value {
    let text = try string()
    guard let choice = choices.first(where: { $0.name == text }) else {
      let names = Suggestions.list(choices.map { "\"\($0.name)\"" }, "or")
      throw error("\"\(path)\" should be \(names), but is \"\(text)\".")
    }
    return choice.value
  }
}

extension JSONNode {
  /// What kind of value it is, for messages.
  fileprivate var kindName: String {
    switch value {
    case .null: "null"
    case .boolean: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "a list"
    case .object: "an object"
    }
  }
}
