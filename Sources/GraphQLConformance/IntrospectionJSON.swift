import Foundation
public import GraphQLSchema

extension IntrospectionValue {
  /// A value of `JSONSerialization`. Numbers, which introspection does not have, become text.
  public init(json: Any?) {
    switch json {
    case let value as Bool: self = .boolean(value)
    case let value as String: self = .string(value)
    case let value as [Any]: self = .list(value.map { IntrospectionValue(json: $0) })
    case let value as [String: Any]:
      self = .object(Members(value.map { (key: $0, value: IntrospectionValue(json: $1)) }))
    default: self = .null
    }
  }

  /// Only the members that another value has too: a query need not ask for everything.
  func restricted(to other: IntrospectionValue) -> IntrospectionValue {
    switch (self, other) {
    case (.object(let members), .object(let others)):
      return .object(
        Members(
          members.compactMap { member in
            others[member.key].map { (key: member.key, value: member.value.restricted(to: $0)) }
          }))
    case (.list(let items), .list(let others)):
      guard let model = others.first else { return self }
      return .list(items.enumerated().map { $1.restricted(to: $0 < others.count ? others[$0] : model) })
    default: return self
    }
  }

  /// Without introspection types and built-in directives.
  var withoutBuiltIns: IntrospectionValue {
    guard case .object(var root) = self, case .object(var schema)? = root["__schema"],
      case .list(let types)? = schema["types"], case .list(let directives)? = schema["directives"]
    else { return self }
    let builtIn: Set<String> = ["include", "skip", "deprecated", "specifiedBy", "oneOf"]
    schema["types"] = .list(types.filter { !$0.name.hasPrefix("__") })
    schema["directives"] = .list(directives.filter { !builtIn.contains($0.name) })
    root["__schema"] = .object(schema)
    return .object(root)
  }

  private var name: String {
    guard case .object(let members) = self, case .string(let name)? = members["name"] else { return "" }
    return name
  }

  /// JSON with sorted keys, to be compared and read.
  var text: String { lines.joined(separator: "\n") }

  private var lines: [String] {
    switch self {
    case .null: ["null"]
    case .boolean(let value): ["\(value)"]
    case .string(let value): [value.debugDescription]
    case .list(let items): ["["] + items.flatMap { $0.lines.map { "  " + $0 } } + ["]"]
    case .object(let members):
      ["{"]
        + members.sorted { $0.key < $1.key }.flatMap { key, value in ["  \(key):"] + value.lines.map { "    " + $0 } }
        + ["}"]
    }
  }
}
