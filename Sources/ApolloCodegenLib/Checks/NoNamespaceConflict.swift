import ApolloIR
import ApolloSwiftRenderer
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation

extension ClientRule {
  /// No fragment has the name of the enum or module around the schema's types, because Swift would confuse the two. For
  /// the same reason no type has it that generated code mentions.
  static let noNamespaceConflict = ClientRule { context in
    let configuration = context.configuration, name = configuration.schemaNamespace
    let help = ClientRule.help(name)
    if CodePlacement(configuration).hasHidingOwner {
      let places = configuration.file?.places
      return [
        Diagnostic(
          .namespaceConflict, "The schema cannot be called \"\(name)\": generated code mentions a type of this name.",
          at: places?["schemaNamespace"] ?? places?["schemaName"] ?? .none, help: help)
      ]
    }
    if case .sameModule = configuration.output.moduleType { return [] }
    return context.document.fragments.filter { isSame($0.name.value, name) }.map { fragment in
      Diagnostic(
        .namespaceConflict, "The schema cannot be called \"\(name)\": there is a fragment of this name.",
        at: fragment.name.span, help: help)
    }
  }

  fileprivate static func isSame(_ name: String, _ namespace: String) -> Bool {
    name.prefix(1).uppercased() + name.dropFirst() == namespace
  }

  fileprivate static func help(_ namespace: String) -> String {
    "Choose another namespace, such as \"\(namespace)API\"."
  }
}

extension [Diagnostic] {
  /// Reports the types of a schema that are called like the namespace, if the code of a document needs them.
  init(
    namespaceConflictsIn document: Validated<Document>, _ schema: Schema, _ configuration: ApolloCodegenConfiguration
  ) {
    self = []
    if case .sameModule = configuration.output.moduleType { return }
    let name = configuration.schemaNamespace
    let names = configuration.completed(by: schema).rendering.customTypeNames
    let types = schema.definedTypes.filter { ClientRule.isSame(names[$0.name]?.name ?? $0.name, name) }
    // (Most schemas have no such type.)
    guard !types.isEmpty else { return }
    let program = LargeStack.run {
      Program(
        lowering: document, schema: schema,
        isCompatibleWithLegacySafelists: configuration.isCompatibleWithLegacySafelists,
        includesAllTypes: configuration.output.isOneOfSeveralModules)
    }
    let needed = program.schemaTypes.names
    self = types.filter { needed.contains($0.name) }.map { type in
      Diagnostic(
        .namespaceConflict, "The schema cannot be called \"\(name)\": it has a type of this name.",
        at: type.definition.name.span, help: ClientRule.help(name))
    }
  }
}

extension SchemaTypes {
  /// The names of all types in the schema.
  fileprivate var names: Set<String> {
    var names = Set(enums.map(\.name))
    names.formUnion(inputObjects.map(\.name))
    names.formUnion(customScalars.map(\.name))
    names.formUnion(typeConditions.map(\.name))
    names.formUnion(objects.map(\.name))
    names.formUnion(interfaces.map(\.name))
    names.formUnion(unions.map(\.name))
    return names
  }
}
