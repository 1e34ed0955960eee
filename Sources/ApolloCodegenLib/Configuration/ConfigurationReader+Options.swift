import ApolloSwiftRenderer
import GraphQLJSON
import GraphQLSyntax

extension ConfigurationReader {
  // MARK: - Options

  mutating func read(
    _ node: ConfigurationNode, into configuration: inout ApolloCodegenConfiguration
  ) throws(DiagnosticsError) {
    let inclusion = [("include", true), ("exclude", false)]
    let conversion = [("camelCase", true), ("none", false)]
    if let value = try node["deprecatedEnumCases"]?.choice(inclusion) {
      configuration.rendering.excludesDeprecatedEnumCases = !value
    }
    if let value = try node["schemaDocumentation"]?.choice(inclusion) {
      configuration.rendering.includesDocumentation = value
    }
    if let value = try node["warningsOnDeprecatedUsage"]?.choice(inclusion) {
      configuration.warnsOfDeprecatedUsage = value
      configuration.rendering.marksDeprecations = value
    }
    if let value = try node["notesOnMissingKeyFields"]?.choice(inclusion) {
      configuration.notesMissingKeyFields = value
    }
    if let value = try node["markTypesNonisolated"]?.boolean() { configuration.rendering.marksTypesNonisolated = value }
    if let value = try node["pruneGeneratedFiles"]?.boolean() { configuration.output.prunesGeneratedFiles = value }
    let strategies = node["conversionStrategies"]
    if let value = try node["naming"]?.choice(RenderingOptions.Naming.allCases.map { ($0.rawValue, $0) }) {
      configuration.rendering.naming = value
      if value == .legacy, let fields = strategies?["fieldAccessors"] {
        warn(fields, "With the names of releases 0.x, fields are always in camel case.")
      }
    }
    if let value = try strategies?["enumCases"]?.choice(conversion) {
      configuration.rendering.convertsEnumCases = value
    }
    if let value = try strategies?["inputObjects"]?.choice(conversion) {
      configuration.rendering.convertsInputFieldNames = value
    }
    if let value = try strategies?["fieldAccessors"]?.choice([("camelCase", true), ("idiomatic", false)]) {
      configuration.rendering.convertsFieldNames = value
    }
    if let format = node["operationDocumentFormat"] {
      configuration.rendering.operationDocumentFormat = try documentFormat(format)
      if let older = node["apqs"] { warn(older, "\"\(format.path)\" says what counts.") }
    } else if let value = try node["apqs"]?.choice([
      ("disabled", OperationDocumentFormat.definition), ("automaticallyPersist", .definitionAndOperationId),
      ("persistedOperationsOnly", .operationId),
    ]) {
      configuration.rendering.operationDocumentFormat = value
    }
    if let value = try node["queryStringLiteralFormat"]?.choice(
      DocumentLiteralFormat.allCases.map { ($0.rawValue, $0) })
    {
      configuration.rendering.documentLiteralFormat = value
    }
    if let value = try node["reduceGeneratedSchemaTypes"]?.boolean() {
      configuration.rendering.reducesSchemaTypes = value
    }
    if let value = try node["maxAgeRule"]?.choice(RenderingOptions.MaxAgeRule.allCases.map { ($0.rawValue, $0) }) {
      configuration.rendering.maxAgeRule = value
    }
    if let rules = node["additionalCapitalizationRules"] {
      configuration.rendering.capitalization = try capitalization(rules)
    }
    if let names = node["schemaCustomization"]?["customTypeNames"] {
      configuration.rendering.customTypeNames = try customTypeNames(names)
    }
    if let initializers = node["selectionSetInitializers"] {
      configuration.rendering.flatInitializers = try flatInitializers(initializers)
    }
    if let rules = node["additionalInflectionRules"] { configuration.rendering.inflection = try inflection(rules) }
    if let scalars = node["customScalars"] { configuration.rendering.customScalars = try customScalars(scalars) }
  }

  private func documentFormat(_ node: ConfigurationNode) throws(DiagnosticsError) -> OperationDocumentFormat {
    var formats: Set<OperationDocumentFormat> = []
    for element in try node.list() {
      formats.insert(try element.choice([("definition", .definition), ("operationId", .operationId)]))
    }
    guard let first = formats.first else { throw node.error("\"\(node.path)\" should not be empty.") }
    return formats.count == 1 ? first : .definitionAndOperationId
  }

  /// Options that are not set have the defaults of Apollo iOS: initializers for local cache mutations only.
  private func flatInitializers(
    _ node: ConfigurationNode
  ) throws(DiagnosticsError) -> RenderingOptions.FlatInitializers {
    var flat = RenderingOptions.FlatInitializers()
    flat.operations = try node["operations"]?.boolean() ?? false
    flat.namedFragments = try node["namedFragments"]?.boolean() ?? false
    flat.localCacheMutations = try node["localCacheMutations"]?.boolean() ?? true
    flat.definitions = Set(try node["definitionsNamed"]?.strings() ?? [])
    return flat
  }

  private func inflection(_ node: ConfigurationNode) throws(DiagnosticsError) -> Inflection {
    var irregular: [String: String] = [:]
    var uncountable: Set<String> = []
    var rules: [Inflection.Rule] = []
    for rule in try node.list() {
      for (name, value) in try rule.members() {
        switch name {
        case "irregular":
          irregular[try value.required("plural").string()] = try value.required("singular").string()
        case "uncountable": uncountable.insert(try (value["word"] ?? value).string())
        case "singularization":
          rules.append(
            Inflection.Rule(
              pattern: try pattern(value.required("pluralRegex")),
              replacement: try value.required("replacementRegex").string()))
        default: break
        }
      }
    }
    return Inflection(irregular: irregular, uncountable: uncountable, rules: rules)
  }

  /// A regular expression.
  private func pattern(_ node: ConfigurationNode) throws(DiagnosticsError) -> String {
    let text = try node.string()
    do {
      _ = try Regex(text)
    } catch {
      throw node.error("\"\(text)\" is not a regular expression: \(error).")
    }
    return text
  }

  private func capitalization(_ node: ConfigurationNode) throws(DiagnosticsError) -> Capitalization {
    var capitalization = Capitalization()
    for rule in try node.list() {
      let term = try rule.required("term")
      let matched: Capitalization.Term
      if case .string = term.node.value {
        matched = .word(try term.string())
      } else if let word = term["string"] {
        matched = .word(try (word["_0"] ?? word).string())
      } else {
        let regex = try term.required("regex")
        matched = .pattern(try pattern(regex["_0"] ?? regex))
      }
      let strategy = try rule.required("strategy")
      if let text = strategy["replace"] {
        capitalization.rules.append((matched, .replace(try (text["_0"] ?? text).string())))
      } else if strategy["upper"] != nil || strategy["lower"] != nil {
        capitalization.rules.append((matched, strategy["upper"] != nil ? .upper : .lower))
      } else {
        capitalization.rules.append((matched, try strategy.choice([("upper", .upper), ("lower", .lower)])))
      }
    }
    return capitalization
  }

  private func customTypeNames(
    _ node: ConfigurationNode
  ) throws(DiagnosticsError) -> [String: RenderingOptions.CustomTypeName] {
    var names: [String: RenderingOptions.CustomTypeName] = [:]
    for (type, value) in try node.members() {
      if case .string(let name) = value.node.value {
        names[type] = .init(name: name)
      } else if let inner = value["type"] {
        names[type] = .init(name: try inner.required("name").string())
      } else if let inner = value["enum"] {
        names[type] = .init(name: try inner["name"]?.string(), members: try strings(inner["cases"]))
      } else if let inner = value["inputObject"] {
        names[type] = .init(name: try inner["name"]?.string(), members: try strings(inner["fields"]))
      } else {
        throw value.error("\"\(value.path)\" should be a name, or have the key \"type\", \"enum\", or \"inputObject\".")
      }
    }
    return names
  }

  private func strings(_ node: ConfigurationNode?) throws(DiagnosticsError) -> [String: String] {
    var strings: [String: String] = [:]
    for (name, value) in try node?.members() ?? [] { strings[name] = try value.string() }
    return strings
  }

  private func customScalars(
    _ node: ConfigurationNode
  ) throws(DiagnosticsError) -> [String: RenderingOptions.ScalarMapping] {
    var mappings: [String: RenderingOptions.ScalarMapping] = [:]
    for (scalar, value) in try node.members() {
      if case .string(let type) = value.node.value {
        mappings[scalar] = RenderingOptions.ScalarMapping(type: type)
        continue
      }
      mappings[scalar] = RenderingOptions.ScalarMapping(
        type: try value.required("type").string(), module: try value["module"]?.string(),
        isHashable: try value["isHashable"]?.boolean() ?? true,
        isSendable: try value["isSendable"]?.boolean() ?? true,
        isInputOnly: try value["isInputOnly"]?.boolean() ?? false)
    }
    return mappings
  }
}
