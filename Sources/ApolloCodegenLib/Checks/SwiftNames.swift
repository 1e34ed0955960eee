import ApolloSwiftRenderer
import GraphQLSyntax

extension ClientRule {
  /// What the configuration says of names and types in Swift can be written there.
  static let swiftNames = ClientRule { context in SwiftNameCheck(configuration: context.configuration).diagnostics }
}

private struct SwiftNameCheck {
  let configuration: ApolloCodegenConfiguration

  var diagnostics: [Diagnostic] { modules + scalars + typeNames + parts }

  private var modules: [Diagnostic] {
    let output = configuration.output
    var found = names([(configuration.schemaNamespace, "schemaNamespace")], "the name of a module or a type")
    // The name of a target is written where operations or mocks import it.
    if case .embeddedInTarget(let name, _) = output.moduleType {
      let isImported =
        if case .outsideOfNamespace(_, module: .some) = CodePlacement(configuration).surroundings { true } else {
          false
        }
      if isImported || output.testMocks != .none {
        found += names(
          [(name, "output.schemaTypes.moduleType.embeddedInTarget.name")],
          "the name of a module, which the \(isImported ? "operations" : "mocks") import")
      }
    }
    if let module = output.mockedModule {
      found += names([(module, "--module")], "the name of a module, which the mocks import")
    }
    if case .swiftPackage(let name?) = output.testMocks {
      found += names([(name, "output.testMocks.swiftPackage.targetName")], "the name of a module")
    }
    return found
  }

  private var scalars: [Diagnostic] {
    configuration.rendering.customScalars.sorted { $0.key < $1.key }.flatMap { scalar, mapping -> [Diagnostic] in
      let path = "options.customScalars.\(scalar)"
      var found: [Diagnostic] = []
      if !TypeText.isType(mapping.type) {
        found.append(invalid(mapping.type, at: path, "a type"))
      } else if TypeText.isOptional(mapping.type) {
        found.append(
          Diagnostic(
            .invalidConfiguration, "\"\(path)\" is \"\(mapping.type)\", which is an optional type.",
            at: configuration.file?.places[path] ?? .none, help: TypeText.helpWithOptionals))
      }
      if let module = mapping.module, !Identifier.isPath(module) {
        found.append(invalid(module, at: path, "the name of a module"))
      }
      return found
    }
  }

  private var typeNames: [Diagnostic] {
    configuration.rendering.customTypeNames.sorted { $0.key < $1.key }.flatMap { type, custom -> [Diagnostic] in
      let path = "options.schemaCustomization.customTypeNames.\(type)"
      return names(custom.name.map { [($0, path)] } ?? [], "the name of a type")
        + names(custom.members.sorted { $0.key < $1.key }.map { ($0.value, path) }, "the name of a member")
    }
  }

  /// Texts that become a part of a name.
  private var parts: [Diagnostic] {
    let rendering = configuration.rendering
    var texts: [(text: String, path: String)] = []
    for case (_, .replace(let text)) in rendering.capitalization.rules {
      texts.append((text, "options.additionalCapitalizationRules"))
    }
    for text in rendering.inflection.texts { texts.append((text, "options.additionalInflectionRules")) }
    if let prefix = rendering.passthroughScalarPrefix { texts.append((prefix, "customScalarsPrefix")) }
    return texts.filter { !Identifier.isPartOfName($0.text) }.map { invalid($0.text, at: $0.path, "a part of a name") }
  }

  private func names(_ names: [(text: String, path: String)], _ what: String) -> [Diagnostic] {
    names.filter { !Identifier.isName($0.text) }.map { invalid($0.text, at: $0.path, what) }
  }

  private func invalid(_ text: String, at path: String, _ what: String) -> Diagnostic {
    Diagnostic(
      .invalidConfiguration, "\"\(path)\" has to be \(what) in Swift, but \"\(text)\" is not.",
      at: configuration.file?.places[path] ?? .none)
  }
}
