import ApolloSwiftRenderer
import GraphQLSchema
import GraphQLSyntax

extension ClientRule {
  /// What the configuration names is in the schema, or in the documents.
  static let knownNames = ClientRule { context in
    let check = KnownNameCheck(configuration: context.configuration, schema: context.schema)
    return check.scalars + check.typeNames + check.definitions(in: context.document)
  }
}

private struct KnownNameCheck {
  let configuration: ApolloCodegenConfiguration
  let schema: Schema

  var scalars: [Diagnostic] {
    var scalars = ["Int", "Float", "String", "Boolean", "ID"]
    for case .scalar(let type) in schema.definedTypes { scalars.append(type.name) }
    return configuration.rendering.customScalars.keys.sorted().filter { !scalars.contains($0) }.map { name in
      unknown(name, at: "customScalars.\(name)", because: "The schema has no scalar", among: scalars)
    }
  }

  var typeNames: [Diagnostic] {
    configuration.rendering.customTypeNames.sorted { $0.key < $1.key }.flatMap { name, custom -> [Diagnostic] in
      let path = "schemaCustomization.customTypeNames.\(name)"
      let known: [String], key: String, what: String
      switch schema.type(named: name) {
      case nil:
        return [unknown(name, at: path, because: "The schema has no type", among: schema.definedTypes.map(\.name))]
      case .enum(let type):
        (known, key, what) = (type.values.map(\.name.value), "enum.cases", "\"\(name)\" has no value")
      case .inputObject(let type):
        (known, key, what) = (type.fields.map(\.name.value), "inputObject.fields", "\"\(name)\" has no field")
      default: (known, key, what) = ([], "type", "\"\(name)\" has no value or input field")
      }
      return custom.members.keys.sorted().filter { !known.contains($0) }.map { member in
        unknown(member, at: "\(path).\(key).\(member)", because: what, among: known)
      }
    }
  }

  /// Operations and fragments that are to have further initializers.
  func definitions(in document: Document) -> [Diagnostic] {
    let known = document.operations.compactMap(\.name?.value) + document.fragments.map(\.name.value)
    return configuration.rendering.flatInitializers.definitions.subtracting(known).sorted().map { name in
      unknown(
        name, at: "selectionSetInitializers.definitionsNamed", because: "There is no operation or fragment",
        among: known)
    }
  }

  private func unknown(_ name: String, at path: String, because what: String, among names: [String]) -> Diagnostic {
    configuration.ineffective(
      "options.\(path)", because: "\(what) \"\(name)\".",
      help: Suggestions.didYouMean(Suggestions.similar(to: name, among: names)))
  }
}
