/// The initializers of a struct.
///
/// A model whose type is an interface or a union takes the name of the object's own type first. Beside that stands an
/// initializer for each part on some types, which takes the part and has the type of it.
extension StructRenderer {
  func initializers(_ writer: inout CodeWriter) {
    if !hasSynthesizedInitializer { memberwiseInitializer(&writer) }
    flatInitializer(&writer)
  }

  /// Whether the compiler makes the initializer, which then is internal.
  var hasSynthesizedInitializer: Bool {
    style.access.isEmpty && plan.conditionalParts.isEmpty && plan.flatInitializer == nil && plan.keyFields.isEmpty
      && plan.stored.allSatisfy { $0.storage == $0.name }
  }

  /// The default for the parameter `__typename`, where it has one.
  var defaultTypename: String { " = \(Literal.string(plan.parentType))" }

  private func memberwiseInitializer(_ writer: inout CodeWriter) {
    let parameters = plan.stored.map(InitializerPlan.Parameter.init)
    let names = Self.parameterNames(parameters.map(\.name))
    writer.blankLine()
    let hasTypename =
      if case .stored = plan.typename { true } else { false }
    writer.function(
      "\(style.access)init", declared(parameters, names, hasTypename: hasTypename)
    ) { writer in
      if hasTypename { writer.line("self.__typename = __typename") }
      for property in plan.stored {
        let parameter = names.local(property.name)
        let value = property.isIndirect ? "__Indirect(wrappedValue: \(parameter))" : parameter
        writer.line("self.\(Identifier.escaped(property.storage)) = \(value)")
      }
      // The members of the part tell whether it exists.
      for part in plan.conditionalParts { writer.line("\(part.flag) = true") }
    }
    for part in plan.partInitializers { initializer(part, parameters, names, &writer) }
  }

  private func flatInitializer(_ writer: inout CodeWriter) {
    guard let flat = plan.flatInitializer else { return }
    let names = Self.parameterNames(flat.parameters.map(\.name))
    writer.blankLine()
    writer.function(
      "\(style.access)init", declared(flat.parameters, names, hasTypename: plan.hasVariableTypename)
    ) { writer in
      // Arguments are split at each comma, also inside of fragments, so that no line is too long.
      writer.list("self.init", flat.arguments.flatMap { Self.argument($0, names) })
    }
    for part in flat.partInitializers { initializer(part, flat.parameters, names, &writer) }
  }

  /// An initializer that is given a part, and has the type of it.
  private func initializer(
    _ part: PartInitializerPlan, _ all: [InitializerPlan.Parameter], _ names: ParameterNames, _ writer: inout CodeWriter
  ) {
    let parameters = all.filter { !part.absent.contains($0.name) }
    writer.blankLine()
    writer.function(
      "\(style.access)init",
      parameters.map { parameter in
        parameter.name == part.name
          ? names.parameter(parameter.name, parameter.type.unwrapped) : Self.declared(parameter, names)
      }
    ) { writer in
      let typename = part.objectType.map(Literal.string) ?? names.local(part.name) + ".__typename"
      writer.list(
        "self.init",
        ["__typename: \(typename)"] + parameters.map { "\(Identifier.label($0.name)): \(names.local($0.name))" })
    }
  }

  private func declared(
    _ parameters: [InitializerPlan.Parameter], _ names: ParameterNames, hasTypename: Bool
  ) -> [String] {
    let declared = parameters.map { Self.declared($0, names) }
    guard hasTypename else { return declared }
    return plan.guessesTypename
      ? declared + ["__typename: String" + defaultTypename] : ["__typename: String"] + declared
  }

  private static func declared(_ parameter: InitializerPlan.Parameter, _ names: ParameterNames) -> String {
    let absence = parameter.isDeferred ? " = .pending" : parameter.type.isOptional ? " = nil" : ""
    return names.parameter(parameter.name, parameter.type) + absence
  }

  private static func argument(
    _ argument: (label: String, value: InitializerPlan.Argument), _ names: ParameterNames
  ) -> [String] {
    let label = Identifier.label(argument.label) + ": "
    switch argument.value {
    case .parameter(let name): return [label + names.local(name)]
    case .typename: return [label + "__typename"]
    case .typeName(let name): return [label + Literal.string(name)]
    case .fragment(let type, let arguments):
      var elements = arguments.flatMap { Self.argument($0, names) }
      guard !elements.isEmpty else { return [label + "\(type)()"] }
      elements[0] = label + "\(type)(" + elements[0]
      elements[elements.count - 1] += ")"
      return elements
    }
  }

  static func parameterNames(_ names: [String], properties: [String] = []) -> ParameterNames {
    ParameterNames(names, reserved: ["self", "object", "outer"], properties: properties)
  }
}
