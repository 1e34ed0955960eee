import ApolloSwiftRenderer
import GraphQLSyntax

extension ClientRule {
  /// The scalars of the specification that are numbers are mapped to types that are sent as numbers: GraphQL takes no
  /// string for `Int` and `Float`.
  static let numbersAsText = ClientRule { context in
    let configuration = context.configuration
    return ["Float", "Int"].compactMap { scalar -> Diagnostic? in
      let type = configuration.rendering.customScalars[scalar]?.type
      guard let type, ["Decimal", "Foundation.Decimal"].contains(type) else { return nil }
      let path = "options.customScalars.\(scalar)"
      return Diagnostic(
        .invalidConfiguration, severity: .warning,
        "\"\(path)\" is \"\(type)\", which is sent as a string. GraphQL takes no string for \"\(scalar)\".",
        at: configuration.file?.places[path] ?? .none,
        help: "Use \"\(scalar == "Int" ? "Int64" : "Double")\". \"Decimal\" is for a custom scalar of the schema.")
    }
  }
}
