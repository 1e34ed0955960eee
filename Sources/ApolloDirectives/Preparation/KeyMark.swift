package import GraphQLSyntax

/// Directives by which the generator marks selections of prepared documents. No document can have them, because their
/// names are reserved. They are not sent.
enum KeyMark {
  /// On a field or a fragment that only the cache needs: it is sent, and is not a member of a shape.
  static let added = "__added"
  /// On an inline fragment that is not sent, and tells ``TypeKeys``.
  static let keys = "__keys"
}

extension TypeKeys {
  /// Reads the fragment that tells them. nil for any other fragment.
  package init?(_ fragment: InlineFragment) {
    guard let directive = fragment.directives.first(named: KeyMark.keys) else { return nil }
    var keys: [TypeKey] = [], added: [String] = []
    for argument in directive.arguments {
      guard case .list(let values) = argument.value.kind else { continue }
      let names = values.compactMap { value -> String? in
        if case .enum(let name) = value.kind { name } else { nil }
      }
      if argument.name.value == KeyMark.added {
        added = names
      } else {
        keys.append(TypeKey(types: names, fields: argument.name.value.names))
      }
    }
    self.init(keys: keys, added: added)
  }

  /// The keys as a fragment that tells them.
  var selection: Selection {
    func argument(_ name: String, _ values: [String]) -> Argument {
      Argument(name: Name(name), value: Value(.list(values.map { Value(.enum($0)) })))
    }
    let arguments = keys.map { argument($0.fields.joined(separator: ","), $0.types) } + [argument(KeyMark.added, added)]
    return .inlineFragment(
      InlineFragment(
        directives: [Directive(name: Name(KeyMark.keys), arguments: arguments)], selectionSet: SelectionSet([])))
  }
}

extension Selection {
  /// Whether only the cache needs it.
  package var isAdded: Bool { directives.contains { $0.name.value == KeyMark.added } }

  /// The selection as one that only the cache needs.
  var marked: Selection {
    let directive = Directive(name: Name(KeyMark.added))
    switch self {
    case .field(var field):
      field.directives.append(directive)
      return .field(field)
    case .inlineFragment(var fragment):
      fragment.directives.append(directive)
      return .inlineFragment(fragment)
    case .fragmentSpread: return self
    }
  }
}
