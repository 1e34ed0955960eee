import ApolloSwiftRenderer
import GraphQLSyntax

extension ClientRule {
  /// Operations are not public where the types of the schema are internal: those that mention one do not compile.
  static let usableAccessLevels = ClientRule { context in
    let configuration = context.configuration, placement = CodePlacement(configuration)
    guard placement.accessLevel == .public, placement.schemaAccessLevel == .internal else { return [] }
    let kind = if case .relative = configuration.output.operations { "relative" } else { "absolute" }
    let path = "output.operations.\(kind).accessModifier"
    return [
      Diagnostic(
        .invalidConfiguration, severity: .warning,
        "\"\(path)\" is \"public\", and the types of the schema are internal: an operation with an enum, an input "
          + "object or a custom scalar does not compile.",
        at: configuration.file?.places[path] ?? .none,
        help: "Leave it out, or add \"accessModifier\": \"public\" to the module type.")
    ]
  }
}
