import Foundation

/// The places to which the generator of Apollo iOS writes for a configuration. Only there its files may be replaced or
/// removed: elsewhere they belong to another module.
struct ApolloPlaces: Sendable {
  /// Folders in which everything that it wrote belongs to this configuration, folders in them included, unless it names
  /// another namespace.
  var folders: Set<String> = []
  /// Folders of the schema's types by kind, not counting folders in them. Enums and input objects name no namespace.
  var typeFolders: Set<String> = []
  /// Single files.
  var files: Set<String> = []
  /// Folders that other configurations may write to as well, not counting folders in them. A file there belongs to this
  /// configuration if it imports the schema's module or extends its namespace, or if it imports the ``target`` and uses
  /// the namespace.
  var sharedFolders: Set<String> = []
  /// The module or namespace of the schema's types.
  var namespace = ""
  /// The target, or the module, that operations outside of it import; nil where they are in it and import none.
  var target: String?

  /// The folders of operations by kind.
  static let kinds = ["Queries", "Mutations", "Subscriptions"] + kindsBesideOperations
  /// Those that are not in the folder `Operations` of a module.
  static let kindsBesideOperations = ["Fragments", "LocalCacheMutations"]
  /// The folders of the schema's types by kind.
  static let schemaKinds = ["Objects", "Interfaces", "Unions", "Enums", "InputObjects"]

  /// Whether a file that begins with Apollo's lines belongs to this configuration.
  func contain(_ path: String, _ data: Data) -> Bool {
    let folder = OutputLayout.folder(of: path), lines = GeneratedMark.lines(data)
    if files.contains(path) || typeFolders.contains(folder)
      || folders.contains(where: { folder == $0 || folder.hasPrefix($0 + "/") })
    {
      return !namesAnother(lines) && !isBesideAnother(folder)
    }
    return sharedFolders.contains(folder) && namesNamespace(lines) && !namesAnother(lines)
  }

  private func namesNamespace(_ lines: [String]) -> Bool {
    if lines.contains(where: { $0.hasSuffix("import \(namespace)") || $0.hasSuffix("extension \(namespace) {") }) {
      return true
    }
    if let target, !lines.contains(where: { $0.hasSuffix("import \(target)") }) { return false }
    return lines.contains(where: usesNamespace)
  }

  /// Whether a file extends another namespace, or has types of one.
  private func namesAnother(_ lines: [String]) -> Bool {
    lines.contains { line in
      if line.contains("extension "), line.hasSuffix("{"),
        let name = line.components(separatedBy: "extension ").last?.prefix(while: Self.isOfName),
        !Self.extended.union([namespace]).contains(String(name))
      {
        return true
      }
      return Self.members.contains(where: line.contains)
        && line.split { !(Self.isOfName($0) || $0 == ".") }.contains { path in
          let names = path.split(separator: ".").map(String.init)
          return names.count > 1 && Self.members.contains("." + names[1])
            && ![namespace, "ApolloAPI"].contains(names[0])
        }
    }
  }

  /// Whether the schema's types in a folder, or in the one around it, are those of another namespace.
  private func isBesideAnother(_ folder: String) -> Bool {
    [folder, OutputLayout.folder(of: folder)].contains { folder in
      FileManager.default.contents(atPath: folder + "/SchemaMetadata.graphql.swift").map {
        GeneratedMark.isApollos($0) && namesAnother(GeneratedMark.lines($0))
      } ?? false
    }
  }

  /// What Apollo's generator extends besides the namespace. (`Mock` is in the files of mocks.)
  private static let extended: Set = ["Objects", "Interfaces", "Unions", "Mock"]
  /// What it writes with the module or namespace before it.
  private static let members: Set = [
    ".SchemaMetadata", ".SelectionSet", ".InlineFragment", ".MutableSelectionSet", ".MutableInlineFragment", ".Objects",
    ".Interfaces", ".Unions",
  ]

  private static func isOfName(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_"
  }

  /// Whether a line has a member of the namespace, such as `HeroAPI.SelectionSet`.
  private func usesNamespace(_ line: String) -> Bool {
    line.contains(namespace + ".")
      && line.split { !(Self.isOfName($0) || $0 == ".") }.contains { $0.hasPrefix(namespace + ".") }
  }
}

extension OutputLayout {
  /// The places to which the generator of Apollo iOS writes for this configuration.
  var apolloPlaces: ApolloPlaces {
    var places = ApolloPlaces(namespace: configuration.schemaNamespace)
    if case .embeddedInTarget(let name, _) = output.moduleType {
      places.target = name
    } else if case .inSchemaModule = output.operations {
      places.target = nil
    } else {
      places.target = places.namespace
    }
    if let folder = mocksFolder {
      if output.isFlat { places.sharedFolders.insert(folder) } else { places.folders.insert(folder) }
    }
    if output.part == .mocks { return places }
    if let file = output.singleFile { places.files.insert(absolute(file)) }
    let path = absolute(output.path)
    places.files.insert("\(path)/\(configuration.schemaNamespace).graphql.swift")
    // Without folders there is no configuration of Apollo's that means the same: it may have been any of these.
    for sources in isFlat ? [path, path + "/Sources"] : [sourcesFolder] {
      places.folders.insert(sources + "/Schema")
      guard case .inSchemaModule = output.operations else {
        // Only beside operations the schema's types have a folder.
        places.files.insert(sources + "/SchemaMetadata.graphql.swift")
        places.typeFolders.formUnion(ApolloPlaces.schemaKinds.map { "\(sources)/\($0)" })
        continue
      }
      places.folders.insert(sources + "/Operations")
      places.sharedFolders.formUnion(ApolloPlaces.kindsBesideOperations.map { "\(sources)/\($0)" })
    }
    switch output.operations {
    // (0.x wrote its files there.)
    case .inSchemaModule: if isFlat { places.sharedFolders.insert(path) }
    case .absolute(let path, _):
      let folder = absolute(path)
      places.sharedFolders.formUnion([folder] + ApolloPlaces.kinds.map { "\(folder)/\($0)" })
    case .relative: break
    }
    if case .swiftPackage(let target?) = output.testMocks { places.folders.insert("\(path)/\(target)") }
    return places
  }
}
