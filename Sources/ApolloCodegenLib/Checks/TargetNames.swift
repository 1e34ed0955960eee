import ApolloDirectives
import ApolloSwiftRenderer
import GraphQLSchema
import GraphQLSyntax

/// The names in Swift that a schema gives its types, the values of its enums, and its input fields:
/// `extend enum Role @targetName(name: "UserRole")`.
struct TargetNames {
  private(set) var names: [String: RenderingOptions.CustomTypeName] = [:]
  private(set) var diagnostics: [Diagnostic] = []

  init(_ schema: Schema) {
    for (type, member, directive) in ClientDefinitions.targetNames(in: schema) {
      guard let name = directive.text("name") else { continue }
      guard Identifier.isName(name) else {
        diagnostics.append(
          Diagnostic(
            .invalidTargetName, "\"\(name)\" is not a name in Swift.", at: directive.argument("name")?.span ?? .none))
        continue
      }
      if let member {
        names[type, default: .init()].members[member] = name
      } else {
        names[type, default: .init()].name = name
      }
    }
  }
}

extension ClientRule {
  /// What `@targetName` says can be written in Swift.
  static let targetNames = ClientRule { context in TargetNames(context.schema).diagnostics }
}

extension [String: RenderingOptions.CustomTypeName] {
  /// Adds names, where there are none yet.
  mutating func add(_ other: [String: RenderingOptions.CustomTypeName]) {
    merge(other) { own, added in
      .init(name: own.name ?? added.name, members: own.members.merging(added.members) { own, _ in own })
    }
  }
}
