import ApolloDirectives
import ApolloSwiftRenderer
import GraphQLSchema
import GraphQLSyntax

/// The types in Swift that a schema gives its scalars: `extend scalar DateTime @map(to: "Date", module: "Foundation")`.
struct MappedScalars {
  private(set) var mappings: [String: RenderingOptions.ScalarMapping] = [:]
  private(set) var diagnostics: [Diagnostic] = []

  init(_ schema: Schema) {
    for (scalar, directive) in ClientDefinitions.mappedScalars(in: schema) {
      guard let type = directive.text("to") else { continue }
      let module = directive.text("module")
      if !TypeText.isType(type) {
        report(type, "a type", directive.argument("to"))
      } else if let module, !Identifier.isPath(module) {
        report(module, "the name of a module", directive.argument("module"))
      } else {
        mappings[scalar] = RenderingOptions.ScalarMapping(type: type, module: module)
      }
    }
  }

  private mutating func report(_ text: String, _ what: String, _ argument: Value?) {
    diagnostics.append(
      Diagnostic(.invalidScalarType, "\"\(text)\" is not \(what) in Swift.", at: argument?.span ?? .none))
  }
}

extension ClientRule {
  /// What `@map` names can be written in Swift.
  static let mappedScalars = ClientRule { context in MappedScalars(context.schema).diagnostics }
}

extension ApolloCodegenConfiguration {
  /// The configuration with the types that the schema gives its scalars, and with its names in Swift. Those of the
  /// configuration come first.
  func completed(by schema: Schema) -> Self {
    var completed = self
    completed.rendering.customScalars.merge(MappedScalars(schema).mappings) { own, _ in own }
    completed.rendering.customTypeNames.add(TargetNames(schema).names)
    return completed
  }
}
