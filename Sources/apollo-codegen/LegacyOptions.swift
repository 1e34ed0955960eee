import ApolloCodegenLib
import ArgumentParser
import Foundation

/// Flags of the generator of Apollo iOS 0.x, which scripts may still pass.
struct LegacyOptions: ParsableArguments {
  @Option(
    name: [.customLong("operation-ids-path"), .customLong("operationIdsPath")],
    help: "Write a JSON file of all operations by identifier, and generate the identifiers.")
  var operationIDsPath: String?

  @Flag(
    name: [.customLong("passthrough-custom-scalars"), .customLong("passthroughCustomScalars")],
    help: "Custom scalars are of the types of their names, which the app declares.")
  var passthroughCustomScalars = false

  @Option(
    name: [.customLong("custom-scalars-prefix"), .customLong("customScalarsPrefix")],
    help: "With --passthrough-custom-scalars: what the names of these types begin with.")
  var customScalarsPrefix: String?

  @Flag(
    name: [.customLong("omit-deprecated-enum-cases"), .customLong("omitDeprecatedEnumCases")],
    help: "Leave out enum cases that the schema deprecates.")
  var omitDeprecatedEnumCases = false

  @Flag(
    name: .long,
    help: "Name everything as releases 0.x of Apollo iOS: \"naming\": \"legacy\" in the configuration.")
  var legacyNaming = false

  @Flag(name: .long, help: ArgumentHelp("Has no effect: generator and client are one package.", visibility: .hidden))
  var ignoreVersionMismatch = false

  func validate() throws {
    if customScalarsPrefix != nil, !passthroughCustomScalars {
      throw ValidationError("--custom-scalars-prefix goes with --passthrough-custom-scalars.")
    }
  }

  func apply(to configuration: inout ApolloCodegenConfiguration) {
    if let operationIDsPath {
      // The file is for what the command line reads.
      configuration.input.hasOwnManifest = true
      configuration.operationManifest = OperationManifest.Configuration(
        path: URL(fileURLWithPath: operationIDsPath).path, version: .legacy, generateManifestOnCodeGeneration: true)
      configuration.rendering.operationDocumentFormat = .definitionAndOperationId
    }
    if passthroughCustomScalars { configuration.rendering.passthroughScalarPrefix = customScalarsPrefix ?? "" }
    if legacyNaming { configuration.rendering.naming = .legacy }
    if omitDeprecatedEnumCases { configuration.rendering.excludesDeprecatedEnumCases = true }
  }
}
