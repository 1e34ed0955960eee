import GraphQLSyntax

extension [Diagnostic] {
  /// Reports, as one warning, all types of the schema that get another name in a module without a namespace.
  init(namesOfLibraries names: [(schema: String, swift: String)]) {
    self = []
    guard !names.isEmpty else { return }
    let what =
      names.count == 1
      ? "A type of the schema is called like a type of an Apple library, and has a suffix in Swift"
      : "\(names.count) types of the schema are called like types of Apple's libraries, and have suffixes in Swift"
    let list = names.map { "\"\($0.schema)\" is \"\($0.swift)\"" }.joined(separator: ", ")
    append(
      Diagnostic(
        .libraryName, severity: .warning, "\(what): \(list).", at: .none,
        help:
          "Choose names under \"options.schemaCustomization.customTypeNames\", or a module type with a namespace, such as "
          + "\"embeddedInTarget\"."))
  }
}
