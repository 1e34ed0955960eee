/// The values of a fragment's variables at one of its spreads. Fragment arguments are a proposal; see
/// ``Parser/Options/allowsFragmentArguments``.
public struct FragmentArguments: Sendable {
  /// The value of each variable of the fragment; nil for those without a value.
  private let values: [String: Value?]

  /// Finds the values of a fragment's variables.
  ///
  /// - Parameters:
  ///   - spread: The spread, with the arguments.
  ///   - fragment: The fragment, with its variables and their default values.
  ///   - isGiven: Whether a variable of the operation has a value. If it has none, the default value of the fragment's
  ///     variable is used. By default all have a value.
  public init(
    of spread: FragmentSpread, for fragment: FragmentDefinition, isGiven: (String) -> Bool = { _ in true }
  ) {
    let arguments = Dictionary(spread.arguments.map { ($0.name.value, $0.value) }) { first, _ in first }
    var values: [String: Value?] = [:]
    for variable in fragment.variableDefinitions {
      var given = arguments[variable.name.value]
      if case .variable(let name)? = given?.kind, !isGiven(name.value) { given = nil }
      values.updateValue(given ?? variable.defaultValue, forKey: variable.name.value)
    }
    self.values = values
  }

  /// Makes arguments of the values of variables.
  package init(values: [String: Value?]) { self.values = values }

  /// The selections of the fragment with values in place of its variables. If a variable has no value, the argument or
  /// input field that it is given to is left out; in a list, it becomes `null`.
  public func substituted(in selectionSet: SelectionSet) -> SelectionSet {
    var result = selectionSet
    result.selections = selectionSet.selections.map { selection in
      switch selection {
      case .field(var field):
        field.arguments = substituted(in: field.arguments)
        field.directives = substituted(in: field.directives)
        field.selectionSet = field.selectionSet.map { substituted(in: $0) }
        return .field(field)
      case .fragmentSpread(var spread):
        spread.arguments = substituted(in: spread.arguments)
        spread.directives = substituted(in: spread.directives)
        return .fragmentSpread(spread)
      case .inlineFragment(var fragment):
        fragment.directives = substituted(in: fragment.directives)
        fragment.selectionSet = substituted(in: fragment.selectionSet)
        return .inlineFragment(fragment)
      }
    }
    return result
  }

  /// Like ``substituted(in:)``, for as long as there are not too many copies.
  ///
  /// - Parameters:
  ///   - selectionSet: The selections of the fragment.
  ///   - remaining: How many selections, values and variables copies may still have. Those of this one are subtracted.
  /// - Returns: The selections; nil if there are more than may be.
  package func substituted(in selectionSet: SelectionSet, remaining: inout Int) -> SelectionSet? {
    remaining -= values.count
    guard remaining > 0 else { return nil }
    let copy = substituted(in: selectionSet)
    copy.count(downFrom: &remaining)
    return remaining > 0 ? copy : nil
  }

  /// How many selections, values and variables the copies of the fragments of a document may have together. Fragments
  /// that spread each other, and values in values, can multiply without end.
  package static let maximumCopies = 200_000

  private func substituted(in directives: [Directive]) -> [Directive] {
    directives.map { directive in
      var directive = directive
      directive.arguments = substituted(in: directive.arguments)
      return directive
    }
  }

  private func substituted(in arguments: [Argument]) -> [Argument] {
    arguments.compactMap { argument in
      substituted(in: argument.value).map { Argument(name: argument.name, value: $0, span: argument.span) }
    }
  }

  private func substituted(in value: Value) -> Value? {
    switch value.kind {
    case .variable(let name):
      guard let own = values[name.value] else { return value }
      return own
    case .list(let items):
      return Value(.list(items.map { substituted(in: $0) ?? Value(.null) }), span: value.span)
    case .object(let fields):
      let kept = fields.compactMap { field in
        substituted(in: field.value).map { ObjectField(name: field.name, value: $0, span: field.span) }
      }
      return Value(.object(kept), span: value.span)
    case .int, .float, .string, .boolean, .null, .enum: return value
    }
  }
}

extension SelectionSet {
  /// Subtracts the number of selections, and of the values in them, as long as there is something left.
  fileprivate func count(downFrom remaining: inout Int) {
    for selection in selections {
      remaining -= 1
      guard remaining > 0 else { return }
      for directive in selection.directives { directive.arguments.count(downFrom: &remaining) }
      switch selection {
      case .field(let field):
        field.arguments.count(downFrom: &remaining)
        field.selectionSet?.count(downFrom: &remaining)
      case .fragmentSpread(let spread): spread.arguments.count(downFrom: &remaining)
      case .inlineFragment(let fragment): fragment.selectionSet.count(downFrom: &remaining)
      }
    }
  }
}

extension [Argument] {
  fileprivate func count(downFrom remaining: inout Int) {
    for argument in self where remaining > 0 { argument.value.count(downFrom: &remaining) }
  }
}

extension Value {
  fileprivate func count(downFrom remaining: inout Int) {
    remaining -= 1
    guard remaining > 0 else { return }
    switch kind {
    case .list(let values):
      for value in values where remaining > 0 { value.count(downFrom: &remaining) }
    case .object(let fields):
      for field in fields where remaining > 0 { field.value.count(downFrom: &remaining) }
    case .variable, .int, .float, .string, .boolean, .null, .enum: break
    }
  }
}

extension Document {
  /// This document for a server that does not support fragment arguments: each spread of a fragment with variables
  /// becomes an inline fragment with the values.
  ///
  /// - Parameter isGiven: Whether a variable of the operation has a value. By default all have one.
  /// - Returns: The document; nil if the inline fragments would have more than 200,000 selections, values and variables
  ///   together, which is possible if fragments spread each other.
  public func inliningFragmentArguments(isGiven: (String) -> Bool = { _ in true }) -> Document? {
    inliningFragmentArguments(limit: FragmentArguments.maximumCopies, isGiven)
  }

  /// The document with each spread of a fragment with variables as an inline fragment with the values.
  ///
  /// - Parameters:
  ///   - limit: How many selections, values and variables the inline fragments may have together.
  ///   - isGiven: Whether a variable of the operation has a value. By default all have one.
  /// - Returns: The document; nil if there would be more than the limit.
  package func inliningFragmentArguments(
    limit: Int, _ isGiven: (String) -> Bool = { _ in true }
  ) -> Document? {
    let parameterized = Dictionary(
      fragments.filter { !$0.variableDefinitions.isEmpty }.map { ($0.name.value, $0) }
    ) { first, _ in first }
    guard !parameterized.isEmpty else { return self }
    var inliner = Inliner(fragments: parameterized, remaining: limit)
    let kept = definitions.compactMap { definition -> Definition? in
      switch definition {
      case .operation(var operation):
        operation.selectionSet = inliner.inline(operation.selectionSet, isGiven)
        return .operation(operation)
      case .fragment(var fragment):
        guard fragment.variableDefinitions.isEmpty else { return nil }
        fragment.selectionSet = inliner.inline(fragment.selectionSet, isGiven)
        return .fragment(fragment)
      case .schema, .type, .directive: return definition
      }
    }
    return inliner.remaining > 0 ? Document(definitions: kept, source: source) : nil
  }

  private struct Inliner {
    let fragments: [String: FragmentDefinition]
    var remaining: Int
    /// The fragments around the current one. A fragment that spreads itself is invalid, and is left out.
    var enclosing: Set<String> = []

    init(fragments: [String: FragmentDefinition], remaining: Int) {
      self.fragments = fragments
      self.remaining = remaining
    }

    mutating func inline(_ selectionSet: SelectionSet, _ isGiven: (String) -> Bool) -> SelectionSet {
      var selections: [Selection] = []
      for selection in selectionSet.selections {
        switch selection {
        case .field(var field):
          if let nested = field.selectionSet { field.selectionSet = inline(nested, isGiven) }
          selections.append(.field(field))
        case .inlineFragment(var fragment):
          fragment.selectionSet = inline(fragment.selectionSet, isGiven)
          selections.append(.inlineFragment(fragment))
        case .fragmentSpread(let spread):
          guard let fragment = fragments[spread.name.value] else {
            selections.append(selection)
            continue
          }
          guard remaining > 0, enclosing.insert(spread.name.value).inserted else { continue }
          defer { enclosing.remove(spread.name.value) }
          let values = FragmentArguments(of: spread, for: fragment, isGiven: isGiven)
          guard let body = values.substituted(in: fragment.selectionSet, remaining: &remaining) else { continue }
          selections.append(
            .inlineFragment(
              InlineFragment(
                typeCondition: fragment.typeCondition, directives: spread.directives,
                selectionSet: inline(body, isGiven), span: spread.span)))
        }
      }
      return SelectionSet(selections, span: selectionSet.span)
    }
  }
}
