import Foundation

/// Where a file for people to change declares a type, as far as words and braces tell.
struct EditableDeclaration: Equatable {
  /// The type around the declaration; nil if there is none.
  var namespace: String?
  var isPublic: Bool

  /// The namespace in which a generated file of the schema declares its types; nil if it declares them in none.
  ///
  /// - Parameter text: The contents of the file.
  /// - Returns: The name of the namespace.
  static func namespace(ofSchema text: String) -> String? {
    ["SchemaMetadata", "ID"].lazy.flatMap { all(of: $0, in: text) }.compactMap(\.namespace).first
  }

  /// The declarations of a type in a file: at the top, or in one other type.
  ///
  /// - Parameters:
  ///   - name: The name of the type.
  ///   - text: The contents of the file.
  /// - Returns: The declarations, in order.
  static func all(of name: String, in text: String) -> [EditableDeclaration] {
    var declarations: [EditableDeclaration] = []
    // The type around, and whether an extension makes its members public.
    var outer: (name: String, isPublic: Bool)?, next: (name: String, isPublic: Bool)?, depth = 0
    let words = words(of: text)
    for (index, word) in words.enumerated() {
      if word == "{" {
        if depth == 0 { (outer, next) = (next, nil) }
        depth += 1
      } else if word == "}" {
        depth -= 1
        if depth == 0 { outer = nil }
      } else if depth == 0 || depth == 1 && outer != nil, keywords.contains(word), index + 1 < words.count {
        let isPublic = words[..<index].reversed().prefix(while: modifiers.contains).contains("public")
        let declared = words[index + 1]
        if depth == 0, word != "typealias" {
          // (A module may stand before it.)
          let outerName = declared.split(separator: ".").last.map(String.init) ?? declared
          next = (outerName, isPublic && word == "extension")
        }
        if declared == name, word != "extension" {
          declarations.append(
            EditableDeclaration(namespace: outer?.name, isPublic: isPublic || outer?.isPublic ?? false))
        }
      }
    }
    return declarations
  }

  private static let keywords: Set = ["extension", "typealias", "enum", "struct", "class", "actor"]
  private static let modifiers: Set = ["public", "nonisolated", "final", "indirect", "frozen"]

  /// Whether code names something, alone or in a path such as `App.HeroAPI.Date`.
  static func names(_ name: String, in text: String) -> Bool {
    words(of: text).contains { $0.split(separator: ".").contains { $0 == name } }
  }

  /// The words and braces of the code.
  static func words(of text: String) -> [String] {
    let code = SwiftCode.withoutTexts(text).map { "{}".contains($0) ? " \($0) " : String($0) }.joined()
    return code.split { !($0.isLetter || $0.isNumber || "_.{}".contains($0)) }.map(String.init)
  }
}
