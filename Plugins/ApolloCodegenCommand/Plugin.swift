import Foundation
import PackagePlugin

/// `swift package apollo-codegen …`: runs the generator in the package's folder, for code that is checked in.
@main struct ApolloCodegenCommand: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {
    let process = Process()
    process.executableURL = try context.tool(named: "apollo-codegen").url
    process.arguments = arguments
    process.currentDirectoryURL = context.package.directoryURL
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
