import ApolloIR
import GraphQLSyntax

extension ClientRule {
  /// Every member of the configuration has an effect beside the others.
  static let noIgnoredMembers = ClientRule { context in
    let configuration = context.configuration
    return configuration.ineffectiveOptions + configuration.redirectedMembers + configuration.membersBesideSingleFile
      + configuration.membersWithoutManifest + configuration.inputOnlyScalars
  }
}

extension ApolloCodegenConfiguration {
  fileprivate var redirectedMembers: [Diagnostic] {
    output.redirectedKeys.map {
      ineffective($0, because: "All files are written to one folder, and only the code of its target is.")
    }
  }

  fileprivate var membersBesideSingleFile: [Diagnostic] {
    guard output.singleFile != nil else { return [] }
    switch output.operations {
    case .inSchemaModule, .relative(nil, _): return []
    case .relative: return [ineffective("output.operations.relative.subpath", because: "All code is in one file.")]
    case .absolute: return [ineffective("output.operations.absolute.path", because: "All code is in one file.")]
    }
  }

  fileprivate var inputOnlyScalars: [Diagnostic] {
    let scalars = rendering.customScalars.filter { $0.value.isInputOnly && BuiltInScalar(rawValue: $0.key) == nil }
    return scalars.keys.sorted().map { scalar in
      ineffective(
        "options.customScalars.\(scalar).isInputOnly", because: "A scalar of the schema has one type everywhere.")
    }
  }

  fileprivate var membersWithoutManifest: [Diagnostic] {
    let manifest = "There is no Package.swift"
    var diagnostics: [Diagnostic] = []
    if case .swiftPackage(nil) = output.moduleType {
      diagnostics.append(
        Diagnostic(
          ineffective: "output.moduleType", because: "\(manifest), because it has no dependency.", at: .none,
          help: "Use .swiftPackage(.standard), or .other."))
    }
    guard case .swiftPackage(.some) = output.testMocks else { return diagnostics }
    if case .swiftPackage(.some) = output.moduleType { return diagnostics }
    return diagnostics + [
      ineffective("output.testMocks.swiftPackage.targetName", because: "\(manifest) with a target for mocks.")
    ]
  }
}
