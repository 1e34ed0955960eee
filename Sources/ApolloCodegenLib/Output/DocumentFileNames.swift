/// The names of the Swift files that documents become: `Hero.graphql.swift` for `Hero.graphql`.
///
/// A module cannot have two files of one name, and disks may not tell `hero` from `Hero`. Of several documents of one name
/// the one in the fewest folders has it, and the others are called after their folders as well:
/// `Hero+Details.graphql.swift` for `Details/Hero.graphql`. A document that is added farther down changes no other name.
///
/// The build tool plugin has this file as well, since it names the files before the generator runs.
enum DocumentFileNames {
  /// The file of the schema's types.
  static let schema = "Schema.graphql.swift"

  /// One name for each path, in order.
  ///
  /// - Parameter paths: Those of all documents of a run, all absolute or relative to the same folder.
  static func names(of paths: [String]) -> [String] {
    let components = paths.map { $0.split(separator: "/").map(String.init) }
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

  /// `Hero`, `Hero+Details`, `Hero+Details+Queries` and so on, and then numbers, as files.
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
