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
  /// A folder to which 0.x wrote everything, mostly without a namespace. nil: this configuration has none.
  var folderOfEarliest: String?
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
    let folder = OutputLayout.folder(of: path), lines = Self.code(data)
    if files.contains(path) || typeFolders.contains(folder)
      || folders.contains(where: { folder == $0 || folder.hasPrefix($0 + "/") })
    {
      return !namesAnother(lines) && !isBesideAnother(folder)
    }
    if folder == folderOfEarliest, isOfEarliest(lines) { return true }
    return sharedFolders.contains(folder) && namesNamespace(lines) && !namesAnother(lines)
  }

  /// Whether it is code of 0.x without a namespace, or with this one.
  private func isOfEarliest(_ lines: [String]) -> Bool {
    guard lines.contains("import Apollo"), !namesAnother(lines) else { return false }
    // (Only a namespace is an enum that conforms to nothing.)
    return lines.allSatisfy { line in
      let words = line.split(separator: " ")
      return words.last != "{" || words.count < 3 || words[words.count - 3] != "enum"
        || words[words.count - 2] == namespace
    }
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
    if lines.contains(where: extendsAnother) || isOfOtherMocks(lines) { return true }
    // (A fragment may have types of these names as well, so only what types conform to says whose they are.)
    let conformances = lines.filter { line in line.split(separator: " ").contains(where: Self.conforming.contains) }
    let owners = conformances.flatMap { Self.owners(of: Self.protocols, in: $0) }
    // The files of the schema's types and of mocks have no such types.
    let all = owners.isEmpty ? lines.flatMap { Self.owners(of: Self.namespaces, in: $0) } : owners
    return all.contains { $0 != namespace }
  }

  /// Whether a line extends something else than Apollo's generator does for this configuration.
  private func extendsAnother(_ line: String) -> Bool {
    let words = line.split(separator: " ")
    guard line.hasSuffix("{"), let index = words.firstIndex(of: "extension"), index + 1 < words.count,
      words[..<index].allSatisfy({ $0.hasPrefix("@") || Self.modifiers.contains($0) })
    else { return false }
    let name = words[index + 1].prefix(while: Self.isOfName)
    return name != namespace && !Self.extended.contains(name)
  }

  /// Whether a file that extends all mocks imports the module of another schema. It names nothing else of that.
  private func isOfOtherMocks(_ lines: [String]) -> Bool {
    guard lines.contains(where: { $0.hasSuffix("extension MockObject {") }) else { return false }
    let known: Set = ["ApolloTestSupport", "Foundation", namespace, target ?? namespace]
    return lines.contains { line in
      let words = line.split(separator: " ").suffix(2)
      guard words.count == 2, words.first == "import", let module = words.last else { return false }
      return !known.contains(String(module)) && !Self.clientModules.contains(module)
    }
  }

  /// What stands before members of these names, besides Apollo's own module.
  private static func owners(of members: some Collection<String>, in line: String) -> [String] {
    line.split { !(isOfName($0) || $0 == ".") }.compactMap { path in
      let names = path.split(separator: ".")
      guard names.count > 1, members.contains(String(names[1])), !clientModules.contains(names[0]) else { return nil }
      return String(names[0])
    }
  }

  /// The trimmed lines of the code of a file.
  private static func code(_ data: Data) -> [String] {
    GeneratedMark.lines(Data(SwiftCode.withoutTexts(String(decoding: data, as: UTF8.self)).utf8))
  }

  /// Whether the schema's types in a folder, or in the one around it, are those of another namespace.
  private func isBesideAnother(_ folder: String) -> Bool {
    [folder, OutputLayout.folder(of: folder)].contains { folder in
      FileManager.default.contents(atPath: folder + "/SchemaMetadata.graphql.swift").map {
        GeneratedMark.isApollos($0) && namesAnother(Self.code($0))
      } ?? false
    }
  }

  /// Apollo's own module. The second one is that of its pod.
  private static let clientModules: Set<Substring> = ["ApolloAPI", "Apollo"]
  /// What Apollo's generator extends besides the namespace. (The last two are in the files of mocks.)
  private static let extended: Set<Substring> = ["Objects", "Interfaces", "Unions", "Mock", "MockObject"]
  private static let modifiers: Set<Substring> = ["public", "internal", "nonisolated"]
  /// What it writes with the module or namespace before it, where types are mentioned.
  private static let namespaces: Set = ["Objects", "Interfaces", "Unions"]
  /// The words of the lines that say to what types conform.
  private static let conforming: Set<Substring> = ["struct", "protocol", "where"]
  /// What it writes with the module or namespace before it, where types conform to something.
  private static let protocols: Set = [
    "SchemaMetadata", "SelectionSet", "InlineFragment", "MutableSelectionSet", "MutableInlineFragment",
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
    case .inSchemaModule:
      if isFlat {
        places.sharedFolders.insert(path)
        places.folderOfEarliest = path
      }
    case .absolute(let path, _):
      let folder = absolute(path)
      places.sharedFolders.formUnion([folder] + ApolloPlaces.kinds.map { "\(folder)/\($0)" })
    case .relative: break
    }
    if case .swiftPackage(let target?) = output.testMocks { places.folders.insert("\(path)/\(target)") }
    return places
  }
}
