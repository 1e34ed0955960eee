import Foundation
import PackagePlugin

/// Generates Swift while a target is built: for each `X.graphql` of the target a file `X.graphql.swift`, and one file
/// `Schema.graphql.swift`.
///
/// The schema is the `.graphqls` files or the `schema.json` of the target. Otherwise it is what the
/// `apollo-codegen-config.json` says that is in the target's folder, or in the nearest folder above it within the package.
/// Its options are applied in any case. Otherwise the schema is that of the targets that the target depends on.
@main struct ApolloCodegenPlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let target = target as? any SourceModuleTarget else { return [] }
    return try CodegenInputs(
      targetName: target.name, files: target.sourceFiles.map(\.url), targetFolder: target.directoryURL,
      packageFolder: context.package.directoryURL, dependencyFolders: target.dependencies.flatMap(folders)
    ).commands(tool: context.tool(named: "apollo-codegen").url, output: context.pluginWorkDirectoryURL)
  }

  private func folders(_ dependency: TargetDependency) -> [URL] {
    switch dependency {
    case .target(let target): [target.directoryURL]
    case .product(let product): product.targets.map(\.directoryURL)
    @unknown default: []
    }
  }
}

#if canImport(XcodeProjectPlugin)
  import XcodeProjectPlugin

  extension ApolloCodegenPlugin: XcodeBuildToolPlugin {
    func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command] {
      try CodegenInputs(
        targetName: target.displayName, files: target.inputFiles.map(\.url),
        targetFolder: context.xcodeProject.directoryURL.appendingPathComponent(target.displayName),
        packageFolder: context.xcodeProject.directoryURL
      ).commands(tool: context.tool(named: "apollo-codegen").url, output: context.pluginWorkDirectoryURL)
    }
  }
#endif
