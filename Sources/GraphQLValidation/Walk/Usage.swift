import GraphQLSyntax

/// A variable in a place of a document.
struct VariableUsage {
  var name: String
  var span: SourceSpan
  var position: InputPosition
}

/// What one operation or fragment uses by itself.
struct Usage {
  var variables: [VariableUsage] = []
  /// Those among the used variables that a fragment defines itself.
  var ownVariables: [VariableUsage] = []
  /// Its fragment spreads, in order.
  var spreads: [FragmentSpread] = []
}

/// The usages of all operations and fragments of a document.
struct UsageTable {
  private(set) var operations: [(definition: OperationDefinition, usage: Usage)] = []
  /// By name; of two fragments with one name, the first.
  private(set) var fragments: [String: Usage] = [:]
  private var current = Usage()

  mutating func begin() { current = Usage() }

  mutating func end(_ operation: OperationDefinition) { operations.append((operation, current)) }

  mutating func end(_ fragment: FragmentDefinition) {
    guard fragments[fragment.name.value] == nil else { return }
    if !fragment.variableDefinitions.isEmpty {
      let own = Set(fragment.variableDefinitions.map(\.name.value))
      current.ownVariables = current.variables.filter { own.contains($0.name) }
      current.variables.removeAll { own.contains($0.name) }
    }
    fragments[fragment.name.value] = current
  }

  mutating func insert(_ variable: VariableUsage) { current.variables.append(variable) }

  mutating func insert(_ spread: FragmentSpread) { current.spreads.append(spread) }

  /// The names of the fragments that can be reached from some spreads, each once. Works through a list rather than by
  /// recursion, as chains of fragments can be long.
  func reachableFragments(from spreads: [FragmentSpread]) -> [String] {
    var found: Set<String> = []
    var ordered: [String] = []
    var pending = spreads
    while let name = pending.popLast()?.name.value {
      guard let fragment = fragments[name], found.insert(name).inserted else { continue }
      ordered.append(name)
      pending += fragment.spreads
    }
    return ordered
  }

  /// Variables used by an operation, its own and those of the fragments it reaches.
  func variables(of usage: Usage) -> [VariableUsage] {
    usage.variables + reachableFragments(from: usage.spreads).flatMap { fragments[$0]?.variables ?? [] }
  }
}
