/// The names of the Swift files that documents become: `Hero.graphql.swift` for `Hero.graphql`.
///
/// A module cannot have two files with one name, and a disk may not distinguish `hero` from `Hero`. If several
/// documents have one name, the one in the fewest folders keeps it. The others are named after their folders as well:
/// `Hero+Details.graphql.swift` for `Details/Hero.graphql`. Adding a document in a deeper folder below the one
/// around all documents changes no other name. The folders around all documents are in no name, because they have other
/// names on another computer. So a document that is added elsewhere may change names.
///
/// The build tool plugin has a copy of this file, because it names the files before the generator runs.
enum DocumentFileNames {
  /// The name of the file with the schema's types.
  static let schema = "Schema.graphql.swift"
  /// The name of the file with all mocks, where they are in one.
  static let mocks = "Mocks.graphql.swift"

  /// The names of the files for some documents, in order.
  ///
  /// - Parameter paths: The paths of all documents of a run, either all absolute or all relative to one folder.
  /// - Returns: One name for each path.
  static func names(of paths: [String]) -> [String] {
    let components = belowCommonFolder(paths.map { $0.split(separator: "/").map(String.init) })
    let order = paths.indices.sorted { left, right in
      let (left, right) = (components[left], components[right])
      return left.count != right.count ? left.count < right.count : left.lexicographicallyPrecedes(right)
    }
    var taken: Set<String> = [schema.lowercased()]
    var names = paths
    for index in order {
      names[index] = candidates(components[index]).first { taken.insert($0.lowercased()).inserted } ?? paths[index]
    }
    return names
  }

  /// The paths from the deepest folder that has all documents.
  private static func belowCommonFolder(_ paths: [[String]]) -> [[String]] {
    var common: ArraySlice<String> = paths.first?.dropLast() ?? []
    for path in paths { common = common.prefix(zip(common, path.dropLast()).prefix { $0 == $1 }.count) }
    return paths.map { Array($0.dropFirst(common.count)) }
  }

  /// The file names to try: `Hero`, `Hero+Details`, `Hero+Details+Queries` and so on, and then names with numbers.
  private static func candidates(_ components: [String]) -> some Sequence<String> {
    let file = components.last ?? "", suffix = ".graphql"
    let name = file.hasSuffix(suffix) ? String(file.dropLast(suffix.count)) : file
    let folders = components.dropLast().reversed()
    return (0...).lazy.map { count in
      let number = count > folders.count ? ["\(count - folders.count + 1)"] : []
      return ([name] + folders.prefix(count) + number).joined(separator: "+") + suffix + ".swift"
    }
  }
}
