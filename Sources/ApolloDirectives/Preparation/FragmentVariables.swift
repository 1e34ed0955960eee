package import GraphQLSyntax

/// The variables of fragments (`fragment Details($size: Int = 10) on User`).
///
/// In the selections of a prepared fragment they have the name of the fragment before their own: `$Details.size`. So the
/// selections of several fragments and of an operation can be merged, and each variable keeps its meaning.
package enum FragmentVariables {
  /// The values that a spread gives to the variables of a fragment, or else their defaults. Variables without a value are
  /// left out.
  package static func arguments(of spread: FragmentSpread, for fragment: FragmentDefinition) -> [Argument] {
    fragment.variableDefinitions.compactMap { variable in
      let given = spread.arguments.first { $0.name.value == variable.name.value }
      return (given?.value ?? variable.defaultValue).map { Argument(name: variable.name, value: $0) }
    }
  }

  /// The selections of a prepared fragment with values in place of its variables.
  ///
  /// - Parameters:
  ///   - fragment: The fragment.
  ///   - arguments: The values, as ``arguments(of:for:)`` finds them.
  /// - Returns: The selections.
  package static func selections(of fragment: FragmentDefinition, with arguments: [Argument]) -> SelectionSet {
    if fragment.variableDefinitions.isEmpty { return fragment.selectionSet }
    var values: [String: Value?] = [:]
    for variable in fragment.variableDefinitions {
      let value = arguments.first { $0.name.value == variable.name.value }?.value
      values.updateValue(value, forKey: name(of: variable, in: fragment))
    }
    return FragmentArguments(values: values).substituted(in: fragment.selectionSet)
  }

  /// A fragment whose selections have the long names of its variables.
  static func named(_ fragment: FragmentDefinition) -> FragmentDefinition {
    if fragment.variableDefinitions.isEmpty { return fragment }
    var fragment = fragment
    let names = fragment.variableDefinitions.map { variable in
      (variable.name.value, Optional(Value(.variable(Name(name(of: variable, in: fragment))))))
    }
    fragment.selectionSet = FragmentArguments(values: Dictionary(names) { first, _ in first })
      .substituted(in: fragment.selectionSet)
    return fragment
  }

  private static func name(of variable: VariableDefinition, in fragment: FragmentDefinition) -> String {
    fragment.name.value + "." + variable.name.value
  }
}
