import GraphQLSyntax

/// Directives by which the generator marks selections of prepared documents. No document can have them, because their
/// names are reserved. They are not sent.
enum KeyMark {
  /// On a field or a fragment that only the cache needs: it is sent, and is not a member of a shape.
  static let added = "__added"
  /// On an inline fragment that is not sent, and tells a ``PossibleTypeKeys/Mark``.
  static let keys = "__keys"
}

extension PossibleTypeKeys {
  /// What a shape of a union or an interface has to know of the keys of its objects.
  struct Mark {
    /// The key of the objects of some types.
    var keys: [TypeKey] = []
    /// The fields of these keys that are read for the key only.
    var added: [String] = []

    /// Adds what another selection set of the same objects tells.
    mutating func merge(_ other: Mark) {
      for key in other.keys {
        let new = key.types.filter { type in !keys.contains { $0.types.contains(type) } }
        if new.isEmpty { continue }
        if let index = keys.firstIndex(where: { $0.fields == key.fields }) {
          keys[index].types += new
        } else {
          keys.append(TypeKey(types: new, fields: key.fields))
        }
      }
      added += other.added.filter { !added.contains($0) }
    }
  }
}

extension PossibleTypeKeys.Mark {
  /// Reads a mark. nil if the fragment is none.
  init?(_ fragment: InlineFragment) {
    guard let directive = fragment.directives.first(named: KeyMark.keys) else { return nil }
    for argument in directive.arguments {
      guard case .list(let values) = argument.value.kind else { continue }
      let names = values.compactMap { value -> String? in
        if case .enum(let name) = value.kind { name } else { nil }
      }
      if argument.name.value == KeyMark.added {
        added = names
      } else {
        keys.append(TypeKey(types: names, fields: argument.name.value.split(separator: ",").map(String.init)))
      }
    }
  }

  /// The mark as a selection.
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
  var isAdded: Bool { directives.contains { $0.name.value == KeyMark.added } }

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
