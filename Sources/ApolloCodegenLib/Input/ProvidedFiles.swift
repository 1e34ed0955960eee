import Foundation

/// The files that an app has in place of those that are written once for people to change: `SchemaConfiguration.swift`, and
/// those of custom scalars in folders called `CustomScalars`. They may be of an earlier release, and in another folder.
struct ProvidedFiles {
  /// The types that they declare, by their names in Swift.
  private(set) var types: Set<String> = []

  /// - Parameter files: Those that are known without a search.
  init(_ files: [String]) {
    for file in files { add(file) }
  }

  /// Searches the folder of the generated code, and that of the target it is a part of.
  mutating func search(for configuration: ApolloCodegenConfiguration, base: String, with finder: inout FileFinder) {
    let output = "/" + Glob.components(Glob.absolute(configuration.output.path, base: base)).joined(separator: "/")
    var folder = output, word: String?
    if case .embeddedInTarget(let target, _) = configuration.output.moduleType {
      folder = Self.folder(of: target, around: output)
      // There may be folders of other modules in that of the target.
      word = configuration.schemaNamespace
    }
    for file in finder.files(matching: [folder + "/**/SchemaConfiguration.swift", folder + "/**/CustomScalars/*.swift"])
    {
      if let word, !Self.mentions(word, in: file) { continue }
      add(file)
    }
  }

  private mutating func add(_ file: String) {
    let name = file.lastPathComponent
    if name.hasSuffix(".swift") { types.insert(String(name.dropLast(".swift".count))) }
  }

  /// The innermost folder of the target's name, or the folder itself.
  private static func folder(of target: String, around folder: String) -> String {
    let components = Glob.components(folder)
    guard let last = components.lastIndex(of: target) else { return folder }
    return "/" + components[...last].joined(separator: "/")
  }

  private static func mentions(_ word: String, in file: String) -> Bool {
    FileManager.default.contents(atPath: file).map { String(decoding: $0, as: UTF8.self).contains(word) } ?? false
  }
}
