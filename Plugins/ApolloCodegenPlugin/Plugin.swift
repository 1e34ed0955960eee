import Foundation
import PackagePlugin

/// Generates Swift while a target is built: for each `X.graphql` of the target a file `X.graphql.swift`, and one file
/// `Schema.graphql.swift`.
///
/// The schema is the `.graphqls` files or the `schema.json` of the target. Otherwise it is what the
/// `apollo-codegen-config.json` says that is in the target's folder, or in the nearest folder above it within the package.
/// Its options are applied in any case. Otherwise the schema is that of the targets of the package that the target
/// depends on. Files of the target, and of those that it depends on, that are not a whole schema add to the one that is
/// found.
///
/// In a test target without `.graphql` files it generates mocks, of what it generates in a target that the test target
/// depends on.
@main struct ApolloCodegenPlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let target = target as? any SourceModuleTarget else { return [] }
    let tool = try context.tool(named: "apollo-codegen").url, output = context.pluginWorkDirectoryURL
    let inputs = inputs(of: target, in: context.package)
    guard target.kind == .test, inputs.operations.isEmpty else { return inputs.commands(tool: tool, output: output) }
    let mocked = Self.ownTargets(target.dependencies).compactMap { $0 as? any SourceModuleTarget }
      .map { self.inputs(of: $0, in: context.package) }
    return MockInputs(targetName: target.name, files: target.sourceFiles.map(\.url), mocked: mocked)
      .commands(tool: tool, output: output)
  }

  private func inputs(of target: any SourceModuleTarget, in package: Package) -> CodegenInputs {
    CodegenInputs(
      targetName: target.name, files: target.sourceFiles.map(\.url), targetFolder: target.directoryURL,
      packageFolder: package.directoryURL, dependencyFolders: Self.ownTargets(target.dependencies).map(\.directoryURL))
  }

  /// The targets of the package itself. Those of other packages have files for their own purposes.
  private static func ownTargets(_ dependencies: [TargetDependency]) -> [any Target] {
    dependencies.compactMap { dependency in
      if case .target(let target) = dependency { target } else { nil }
    }
  }
}

#if canImport(XcodeProjectPlugin)
  import XcodeProjectPlugin

  extension ApolloCodegenPlugin: XcodeBuildToolPlugin {
    func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command] {
      CodegenInputs(
        targetName: target.displayName, files: target.inputFiles.map(\.url),
        targetFolder: context.xcodeProject.directoryURL.appendingPathComponent(target.displayName),
        packageFolder: context.xcodeProject.directoryURL
      ).commands(tool: try context.tool(named: "apollo-codegen").url, output: context.pluginWorkDirectoryURL)
    }
  }
#endif
