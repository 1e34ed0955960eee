import Foundation
import PackagePlugin

/// `swift package apollo-codegen …`: runs the generator in the package's folder, for code that is checked in.
@main struct ApolloCodegenCommand: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {
    try run(context.tool(named: "apollo-codegen").url, arguments, in: context.package.directoryURL)
  }

  private func run(_ tool: URL, _ arguments: [String], in folder: URL) throws {
    let process = Process()
    process.executableURL = tool
    process.arguments = arguments
    process.currentDirectoryURL = folder
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw GenerationFailure(status: process.terminationStatus)
    }
  }
}

struct GenerationFailure: Error, CustomStringConvertible {
  let status: Int32

  var description: String { "apollo-codegen ended with status \(status)." }
}

#if canImport(XcodeProjectPlugin)
  import XcodeProjectPlugin

  /// The same for a project in Xcode: in the menu of the project, it runs the generator in the project's folder.
  extension ApolloCodegenCommand: XcodeCommandPlugin {
    func performCommand(context: XcodePluginContext, arguments: [String]) throws {
      // Xcode adds the targets that were chosen in its window. The configuration says what is generated.
      var arguments = ArgumentExtractor(arguments)
      _ = arguments.extractOption(named: "target")
      try run(
        context.tool(named: "apollo-codegen").url, arguments.remainingArguments, in: context.xcodeProject.directoryURL)
    }
  }
#endif
