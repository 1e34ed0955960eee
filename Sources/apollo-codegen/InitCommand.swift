import ApolloCodegenLib
import ArgumentParser
import ForeignText
import Foundation
import GraphQLJSON
import GraphQLSyntax

struct InitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init", abstract: "Writes a configuration file to start from.")

  enum ModuleType: String, ExpressibleByArgument, CaseIterable {
    case sameModule, embeddedInTarget, swiftPackage, other
    /// The name of `swiftPackage` in releases 1.x of Apollo iOS.
    case swiftPackageManager

    static var allValueStrings: [String] { allCases.filter { $0 != .swiftPackageManager }.map(\.rawValue) }
  }

  @Option(
    name: [.customShort("n"), .customLong("schema-namespace"), .customLong("schema-name")],
    help: "The name of the module or of the enum that the schema's types are in.")
  var schemaNamespace: String

  @Option(name: [.short, .long], help: "What the generated code is a part of.")
  var moduleType: ModuleType

  @Option(name: [.short, .long], help: "The target, for embeddedInTarget.")
  var targetName: String?

  @Option(name: [.short, .long], help: "The file to write.")
  var path = InputOptions.defaultPath

  @Flag(name: [.customShort("w"), .long], help: "Replace the file if there is one.")
  var overwrite = false

  @Flag(name: [.customShort("s"), .long], help: "Print the configuration, and write no file.")
  var print = false

  func validate() throws {
    if moduleType == .embeddedInTarget, (targetName ?? "").isEmpty {
      throw ValidationError("--target-name is needed for embeddedInTarget.")
    }
  }

  func run() throws {
    let text = configuration
    let parsed = ApolloCodegenConfiguration.read(Source(text, name: path))
    guard !parsed.hasErrors else {
      // The file would only contain what was said on the command line.
      Console.error(parsed.diagnostics.map(\.fullMessage).joined(separator: "\n"))
      throw ExitCode.failure
    }
    if print { return Swift.print(text, terminator: "") }
    if FileManager.default.fileExists(atPath: path), !overwrite {
      Console.error("\"\(path)\" is there already. Use --overwrite to replace it.")
      throw ExitCode.failure
    }
    let file = URL(fileURLWithPath: path)
    do {
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file, options: .atomic)
    } catch {
      Console.error("\"\(path)\" cannot be written: \(error.localizedDescription)")
      throw ExitCode.failure
    }
    Console.write(Console.paint("✓", "32;1") + " wrote \(path.shownOnOneLine)\n")
  }

  /// A text in JSON. What is given on the command line adds no keys.
  private static func json(_ text: String) -> String { JSONNode.string(text).text }

  private var configuration: String {
    let module =
      switch moduleType {
      case .embeddedInTarget: #""embeddedInTarget": { "name": \#(Self.json(targetName ?? "")) }"#
      case .sameModule: #""sameModule": {}"#
      case .swiftPackage, .swiftPackageManager: #""swiftPackage": {}"#
      case .other: #""other": {}"#
      }
    return """
      {
        "schemaNamespace": \(Self.json(schemaNamespace)),
        "input": {
          "schemaSearchPaths": ["**/*.graphqls"],
          "operationSearchPaths": ["**/*.graphql"]
        },
        "output": {
          "schemaTypes": {
            "path": \(Self.json("./" + schemaNamespace)),
            "moduleType": { \(module) }
          },
          "operations": { "inSchemaModule": {} }
        }
      }

      """
  }
}
