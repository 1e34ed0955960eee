import ApolloSwiftRenderer
import GraphQLSchema
import GraphQLSyntax

extension ClientRule {
  /// Types that the configuration names are in the schema.
  static let knownNames = ClientRule { context in
    let options = context.configuration.rendering
    return scalars(options, context.schema) + typeNames(options, context.schema)
  }

  private static func scalars(_ options: RenderingOptions, _ schema: Schema) -> [Diagnostic] {
    var scalars = ["Int", "Float", "String", "Boolean", "ID"]
    for case .scalar(let type) in schema.definedTypes { scalars.append(type.name) }
    return options.customScalars.keys.sorted().filter { !scalars.contains($0) }.map { name in
      unknown("customScalars.\(name)", "The schema has no scalar", name, among: scalars)
    }
  }

  private static func typeNames(_ options: RenderingOptions, _ schema: Schema) -> [Diagnostic] {
    options.customTypeNames.sorted { $0.key < $1.key }.flatMap { name, custom -> [Diagnostic] in
      let path = "schemaCustomization.customTypeNames.\(name)"
      let known: [String], key: String, what: String
      switch schema.type(named: name) {
      case nil: return [unknown(path, "The schema has no type", name, among: schema.definedTypes.map(\.name))]
      case .enum(let type):
        (known, key, what) = (type.values.map(\.name.value), "enum.cases", "\"\(name)\" has no value")
      case .inputObject(let type):
        (known, key, what) = (type.fields.map(\.name.value), "inputObject.fields", "\"\(name)\" has no field")
      default: (known, key, what) = ([], "type", "\"\(name)\" has no value or input field")
      }
      return custom.members.keys.sorted().filter { !known.contains($0) }.map { member in
        unknown("\(path).\(key).\(member)", what, member, among: known)
      }
    }
  }

  private static func unknown(_ key: String, _ what: String, _ name: String, among names: [String]) -> Diagnostic {
    Diagnostic(
      .ignoredConfigurationKey, severity: .warning, "\"options.\(key)\" has no effect. \(what) \"\(name)\".", at: .none,
      help: Suggestions.didYouMean(Suggestions.similar(to: name, among: names)))
  }
}
