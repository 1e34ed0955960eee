/// Writes an extension for each generated selection set that visits its properties.
///
/// It reads the text that the generator has written, which is laid out by one hand: a type's members are indented by two
/// spaces more than the type.
enum AccessorText {
  static func text(_ files: [String]) -> String {
    var text = "public import RandomAccessors\n\n"
    for file in files { text += extensions(file, selectionSets(file)) }
    return text
  }

  /// The types that an extension makes selection sets.
  private static func selectionSets(_ file: String) -> Set<Substring> {
    var types: Set<Substring> = []
    for line in file.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, let head = parts[0].split(separator: " ").last, isSelectionSet(parts[1]) else { continue }
      types.insert(head)
    }
    return types
  }

  private static func isSelectionSet(_ conformances: Substring) -> Bool {
    conformances.split { " ,{".contains($0) }.contains {
      ["SelectionSet", "InlineFragment", "Fragment", "__FragmentContainer"].contains($0)
    }
  }

  private struct Open {
    var name: Substring
    var indentation: Int
    var isSelectionSet: Bool
    var properties: [Substring] = []
    /// Those that can be set.
    var variables: [Substring] = []
  }

  private static func extensions(_ file: String, _ selectionSets: Set<Substring>) -> String {
    var text = "", open: [Open] = []
    for line in file.split(separator: "\n") {
      let indentation = line.prefix { $0 == " " }.count
      var rest = line.dropFirst(indentation)
      if rest == "}", let last = open.last, last.indentation == indentation {
        if last.isSelectionSet { text += extension_(open) }
        open.removeLast()
        continue
      }
      if rest.hasPrefix("nonisolated ") { rest = rest.dropFirst("nonisolated ".count) }
      if rest.hasPrefix("extension "), rest.hasSuffix("{") {
        open.append(Open(name: rest.dropFirst(10).dropLast(2), indentation: indentation, isSelectionSet: false))
      } else if rest.hasPrefix("public struct ") {
        let parts = rest.dropFirst("public struct ".count).split(separator: ":", maxSplits: 1)
        let path = (open.map(\.name) + parts.prefix(1)).joined(separator: ".")
        let isSelectionSet = selectionSets.contains(Substring(path)) || parts.count > 1 && isSelectionSet(parts[1])
        if !line.hasSuffix("}") {
          open.append(Open(name: parts[0], indentation: indentation, isSelectionSet: isSelectionSet))
        }
      } else if let last = open.last, last.isSelectionSet, indentation == last.indentation + 2,
        rest.hasPrefix("public var ") || rest.hasPrefix("public let ")
      {
        let name = rest.dropFirst("public var ".count).prefix { $0 != ":" }
        // (Apps do not name the property that a deprecated field is stored in.)
        guard !name.hasPrefix("__") || name == "__typename" else { continue }
        open[open.count - 1].properties.append(name)
        let isComputed = rest.contains("{"), hasAccessors = rest.hasSuffix("{") || rest.contains("{ get ")
        let isVariable = rest.hasPrefix("public var ") && (!isComputed || hasAccessors || rest.contains("{ didSet "))
        if isVariable { open[open.count - 1].variables.append(name) }
      }
    }
    return text
  }

  private static func extension_(_ open: [Open]) -> String {
    var text = "nonisolated extension \(open.map(\.name).joined(separator: ".")): HasAccessors {\n"
    // It visits deprecated properties as well.
    text += "  @available(*, deprecated)\n  public func visit(_ visitor: inout AccessorVisitor) {\n"
    for property in open[open.count - 1].properties {
      text += "    visitor(\"\(property.filter { $0 != "`" })\", self.\(property))\n"
    }
    text += "  }\n  @available(*, deprecated)\n  public mutating func change(_ changer: inout LeafChanger) {\n"
    for variable in open[open.count - 1].variables {
      text += "    changer(\"\(variable.filter { $0 != "`" })\", &self.\(variable))\n"
    }
    return text + "  }\n}\n"
  }
}
