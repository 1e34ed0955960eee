import ApolloDirectives
import ApolloSwiftRenderer
import GraphQLSchema
import GraphQLSyntax

/// The types in Swift that a schema gives its scalars: `extend scalar DateTime @map(to: "Date", module: "Foundation")`, or
/// `extend scalar Length @mapTo(builtIn: Long)`.
struct MappedScalars {
  private(set) var mappings: [String: RenderingOptions.ScalarMapping] = [:]
  private(set) var diagnostics: [Diagnostic] = []

  init(_ schema: Schema) {
    for (scalar, directive) in ClientDefinitions.mappedScalars(in: schema) {
      if mappings[scalar] != nil {
        diagnostics.append(
          Diagnostic(.invalidScalarType, "\"\(scalar)\" has two types in Swift.", at: directive.span))
        continue
      }
      if let builtIn = directive.argument("builtIn") {
        map(scalar, toBuiltIn: builtIn)
        continue
      }
      guard let type = directive.text("to") else { continue }
      let module = directive.text("module")
      if !TypeText.isType(type) {
        report(type, "a type", directive.argument("to"))
      } else if TypeText.isOptional(type) {
        diagnostics.append(
          Diagnostic(
            .invalidScalarType, "\"\(type)\" is an optional type.", at: directive.argument("to")?.span ?? .none,
            help: TypeText.helpWithOptionals))
      } else if let module, !Identifier.isPath(module) {
        report(module, "the name of a module", directive.argument("module"))
      } else {
        mappings[scalar] = RenderingOptions.ScalarMapping(type: type, module: module)
      }
    }
  }

  /// The types of kotlin_labs, by the names that they have there. (Its `inline` asks for a type of its own around the value,
  /// which a type alias in Swift is not.)
  private static let builtInTypes = [
    "String": "String", "Boolean": "Bool", "Int": "Int", "Long": "Int64", "Float": "Float", "Double": "Double",
  ]

  private mutating func map(_ scalar: String, toBuiltIn value: Value) {
    let name: String =
      switch value.kind {
      case .enum(let name): name
      case .string(let text): text.value
      default: ""
      }
    if let type = Self.builtInTypes[name] {
      mappings[scalar] = RenderingOptions.ScalarMapping(type: type, module: nil)
    } else {
      diagnostics.append(
        Diagnostic(
          .invalidScalarType, "\"\(name)\" is not one of the built-in types.", at: value.span,
          help: "They are \(Suggestions.list(Self.builtInTypes.keys.sorted(), "and"))."))
    }
  }

  private mutating func report(_ text: String, _ what: String, _ argument: Value?) {
    diagnostics.append(
      Diagnostic(.invalidScalarType, "\"\(text)\" is not \(what) in Swift.", at: argument?.span ?? .none))
  }
}

extension TypeText {
  static let helpWithOptionals = "Name the type of its values. Nullability is that of the field."
}

extension ClientRule {
  /// What `@map` and `@mapTo` name can be written in Swift.
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
