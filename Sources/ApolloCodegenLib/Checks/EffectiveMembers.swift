import GraphQLSyntax

extension ClientRule {
  /// Every member of the configuration has an effect beside the others.
  static let effectiveMembers = ClientRule { context in
    let configuration = context.configuration
    return configuration.ineffectiveOptions + configuration.redirectedMembers + configuration.membersBesideSingleFile
      + configuration.membersWithoutManifest
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

  fileprivate var membersWithoutManifest: [Diagnostic] {
    let package = "output.schemaTypes.moduleType.swiftPackage", target = "output.testMocks.swiftPackage.targetName"
    var diagnostics: [Diagnostic] = []
    if case .swiftPackage(nil) = output.moduleType {
      let path = [package, "output.schemaTypes.moduleType.swiftPackageManager"].first { file?.places[$0] != nil }
      diagnostics.append(
        Diagnostic(
          .ignoredConfigurationKey, severity: .warning,
          "\"\(path ?? package)\" writes no Package.swift, because it is not known where the manifest finds Apollo.",
          at: path.flatMap { file?.places[$0] } ?? .none,
          help: "Add \"apolloSDKDependency\" with \"url\" or \"sdkVersion.local\", or use the module type \"other\"."))
    }
    guard case .swiftPackage(let name) = output.testMocks else { return diagnostics }
    switch output.moduleType {
    case .swiftPackage(.some): break
    case .swiftPackage(nil) where name == nil: break
    default: diagnostics.append(ineffective(target, because: "There is no Package.swift that could have the target."))
    }
    return diagnostics
  }
}
