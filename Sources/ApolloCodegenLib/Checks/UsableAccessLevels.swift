import ApolloSwiftRenderer
import GraphQLSyntax

extension ClientRule {
  /// Neither operations nor mocks are public where the types of the schema are internal: those that mention one do not
  /// compile.
  static let usableAccessLevels = ClientRule { context in
    let output = context.configuration.output, placement = CodePlacement(context.configuration)
    guard placement.schemaAccessLevel == .internal else { return [] }
    var unusable: [(path: String, code: String)] = []
    if placement.accessLevel == .public {
      let kind = if case .relative = output.operations { "relative" } else { "absolute" }
      unusable.append(("operations.\(kind)", "an operation with an enum, an input object or a custom scalar"))
    }
    if case .absolute(_, .public) = output.testMocks, !output.mocksFollowSchema {
      unusable.append(("testMocks.absolute", "a mock with an enum or a custom scalar"))
    }
    return unusable.map { place, code in
      let path = "output.\(place).accessModifier"
      return Diagnostic(
        .invalidConfiguration, severity: .warning,
        "\"\(path)\" is \"public\", and the types of the schema are internal: \(code) does not compile.",
        at: context.configuration.file?.places[path] ?? .none,
        help: "Leave it out, or add \"accessModifier\": \"public\" to the module type.")
    }
  }
}
