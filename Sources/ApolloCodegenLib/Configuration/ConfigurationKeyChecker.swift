import GraphQLJSON
import GraphQLSyntax

/// Checks the keys of a configuration file: each must be known, and its value must be of the right kind.
struct ConfigurationKeyChecker {
  var diagnostics: [Diagnostic] = []
  /// The places of all known keys, by their paths.
  private(set) var places: [String: SourceSpan] = [:]

  mutating func check(_ node: ConfigurationNode, against keys: ConfigurationKeys) {
    switch (keys, node.node.value) {
    case (.value, _), (.unsupported, _), (.constantFlag, _): break
    // A value that is null is treated as absent.
    case (_, .null) where !node.path.isEmpty: break
    case (.object(let known), .object(let members)): check(members, of: node, known)
    case (.openObject(let known, let reason), .object(let members)): check(members, of: node, known, others: reason)
    case (.choice(let known), .object(let members)):
      check(members, of: node, known)
      let names = members.filter { !$0.value.isNull }.map(\.name)
      if names.isEmpty {
        let list = Self.list(known.keys.sorted(), "or")
        diagnostics += node.error("\"\(node.path)\" should have the key \(list).").diagnostics
      } else if names.count > 1 {
        let list = Self.list(names, "and")
        diagnostics += node.error("\"\(node.path)\" should have one of the keys \(list) only.").diagnostics
      }
    case (.dictionary(let inner), .object(let members)):
      for member in members {
        let value = node.child(member.value, member.name)
        places[value.path] = SourceSpan(member.nameRange, in: node.source)
        check(value, against: inner)
      }
    case (.list(let inner), .array(let elements)):
      for (index, element) in elements.enumerated() {
        check(ConfigurationNode(path: "\(node.path)[\(index)]", node: element, source: node.source), against: inner)
      }
    case (.either(let keys), .object): check(node, against: keys)
    case (.either, _): break
    case (.list, _): diagnostics += node.mismatch("a list").diagnostics
    default: diagnostics += node.mismatch("an object").diagnostics
    }
  }

  private static func list(_ names: [String], _ conjunction: String) -> String {
    Suggestions.list(names.map { "\"\($0)\"" }, conjunction)
  }

  /// Checks members. Others than the known ones are errors, or warnings with the reason that is given.
  private mutating func check(
    _ members: JSONNode.Members, of node: ConfigurationNode, _ known: [String: ConfigurationKeys],
    others reason: String? = nil
  ) {
    for member in members {
      let value = node.child(member.value, member.name)
      places[value.path] = SourceSpan(member.nameRange, in: node.source)
      switch known[member.name] {
      case nil:
        let span = SourceSpan(member.nameRange, in: node.source)
        let help = Suggestions.didYouMean(Suggestions.similar(to: member.name, among: known.keys))
        diagnostics.append(
          reason.map { Diagnostic(ineffective: value.path, because: $0, at: span, help: help) }
            ?? Diagnostic(
              .unknownConfigurationKey, "There is no configuration key \"\(value.path)\".", at: span, help: help))
      case .constantFlag(let flag, _) where member.value.boolean == flag: break
      case .unsupported(let reason), .constantFlag(_, let reason):
        diagnostics.append(
          Diagnostic(
            ineffective: value.path, because: reason, at: SourceSpan(member.nameRange, in: node.source)))
      case let keys?: check(value, against: keys)
      }
    }
  }
}
