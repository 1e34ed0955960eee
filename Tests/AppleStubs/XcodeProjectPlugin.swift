public import Foundation
public import PackagePlugin

/// Xcode's counterpart of `BuildToolPlugin`.
public protocol XcodeBuildToolPlugin {
  func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command]
}

/// Xcode's counterpart of `CommandPlugin`.
public protocol XcodeCommandPlugin {
  func performCommand(context: XcodePluginContext, arguments: [String]) throws
}

/// Where a plugin runs.
public struct XcodePluginContext {
  public let xcodeProject: XcodeProject
  public let pluginWorkDirectoryURL: URL
  public func tool(named name: String) throws -> PluginContext.Tool { fatalError("a stub") }
}

/// A project in Xcode.
public struct XcodeProject {
  public let directoryURL: URL
}

/// A target of a project.
public struct XcodeTarget {
  public let displayName: String
  public let inputFiles: FileList
}
