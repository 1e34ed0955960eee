import Foundation

/// The places to which the generator of Apollo iOS writes for a configuration. Only there its files may be replaced or
/// removed: elsewhere they belong to another module.
struct ApolloPlaces: Sendable {
  /// Folders in which everything that it wrote belongs to this configuration, folders in them included.
  var folders: Set<String> = []
  /// Single files.
  var files: Set<String> = []
  /// Folders that other configurations may write to as well, not counting folders in them. A file there belongs to this
  /// configuration if it imports the schema's module or extends its namespace, or if it imports the target that has the
  /// namespace, and uses it.
  var sharedFolders: Set<String> = []
  /// The module or namespace of the schema's types.
  var namespace = ""
  /// The target that has the namespace, where operations are outside of it and import the target; nil if there is none.
  var target: String?

  /// The folders of operations by kind.
  static let kinds = ["Queries", "Mutations", "Subscriptions"] + kindsBesideOperations
  /// Those that are not in the folder `Operations` of a module.
  static let kindsBesideOperations = ["Fragments", "LocalCacheMutations"]
  /// The folders of the schema's types by kind.
  static let schemaKinds = ["Objects", "Interfaces", "Unions", "Enums", "InputObjects"]

  /// Whether a file that begins with Apollo's lines belongs to this configuration.
  func contain(_ path: String, _ data: Data) -> Bool {
    let folder = OutputLayout.folder(of: path)
    if files.contains(path) || folders.contains(where: { folder == $0 || folder.hasPrefix($0 + "/") }) { return true }
    return sharedFolders.contains(folder) && namesNamespace(data)
  }

  private func namesNamespace(_ data: Data) -> Bool {
    let lines = GeneratedMark.lines(data)
    if lines.contains(where: { $0.hasSuffix("import \(namespace)") || $0.hasSuffix("extension \(namespace) {") }) {
      return true
    }
    guard let target, lines.contains(where: { $0.hasSuffix("import \(target)") }) else { return false }
    return lines.contains(where: usesNamespace)
  }

  /// Whether a line has a member of the namespace, such as `HeroAPI.SelectionSet`.
  private func usesNamespace(_ line: String) -> Bool {
    line.contains(namespace + ".")
      && line.split { !($0.isLetter || $0.isNumber || "_.".contains($0)) }.contains { $0.hasPrefix(namespace + ".") }
  }
}

extension OutputLayout {
  /// The places to which the generator of Apollo iOS writes for this configuration.
  var apolloPlaces: ApolloPlaces {
    var places = ApolloPlaces(namespace: configuration.schemaNamespace)
    if case .embeddedInTarget(let name, _) = output.moduleType { places.target = name }
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
        places.folders.formUnion(ApolloPlaces.schemaKinds.map { "\(sources)/\($0)" })
        continue
      }
      places.folders.insert(sources + "/Operations")
      let folders = ApolloPlaces.kindsBesideOperations.map { "\(sources)/\($0)" }
      // What is in a namespace names it, and what is in a module of its own names nothing.
      if places.target != nil { places.sharedFolders.formUnion(folders) } else { places.folders.formUnion(folders) }
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
