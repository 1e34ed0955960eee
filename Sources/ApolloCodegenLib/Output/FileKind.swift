import ApolloSwiftRenderer
import Foundation
import GraphQLJSON
import GraphQLSyntax

/// What a written file is, and so by what it is known that a generator wrote the file that stands in its place.
enum FileKind: Sendable {
  /// Swift, which begins with a mark.
  case code(ApolloPlaces)
  /// The manifest of a generated package, with the names of its targets.
  case packageManifest(targets: [String])
  /// The manifest of all operations.
  case operationManifest
  /// A schema that was downloaded.
  case schema
  /// A file for people to change: what they have changed is never replaced.
  case editable
  /// The list of files that were written: see ``WrittenFiles``.
  case list

  /// Whether contents are those of a generator. Nothing is lost with a file that has none.
  func recognizes(_ data: Data, at path: String) -> Bool {
    let isBlank = data.allSatisfy { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    switch self {
    case .editable:
      // (What a comment says was compared with the schema before: see `ProvidedFiles`.)
      let text = String(decoding: data, as: UTF8.self)
      return EditableFiles.isUnchanged(text, name: ProvidedFiles.type(of: path, with: text)) { nil }
    case .code(let places):
      return isBlank || GeneratedMark.isOurs(data) || GeneratedMark.isApollos(data) && places.contain(path, data)
    case .packageManifest(let targets):
      return isBlank || GeneratedMark.isOurs(data) || ApolloManifest(targets: targets).matches(data)
    case .operationManifest: return isBlank || OperationManifest.isManifest(data)
    case .schema: return isBlank || DownloadedSchema.isDownloaded(data, at: path)
    case .list: return isBlank || data.starts(with: WrittenFiles.header.utf8)
    }
  }
}

/// A schema that a tool has downloaded, as opposed to one that people write.
enum DownloadedSchema {
  /// Whether a file is the answer to an introspection query, or a whole schema in SDL as printers write it: without
  /// comments and extensions.
  static func isDownloaded(_ data: Data, at path: String) -> Bool {
    if path.hasSuffix(".json") {
      guard let root = try? JSONNode(parsing: data) else { return false }
      return (root["data"] ?? root)["__schema"]?.object != nil
    }
    let source = Source(utf8: data, name: path)
    let document = Parser.parse(source)
    guard !document.diagnostics.hasErrors, !source.hasComments else { return false }
    var hasRoot = false
    for definition in document.value.definitions {
      switch definition {
      case .operation, .fragment: return false
      case .directive: continue
      case .schema(let schema):
        if schema.isExtension { return false }
        hasRoot = true
      case .type(let type):
        if type.isExtension { return false }
        hasRoot = hasRoot || type.name.value == "Query"
      }
    }
    return hasRoot
  }
}

/// The manifest of a package as the generator of Apollo iOS writes it.
struct ApolloManifest {
  /// The names of the targets: the schema's module, and that of the mocks.
  let targets: [String]

  /// Whether a manifest equals the one of this generator but for versions and paths. What was added to it is not ours
  /// to replace.
  func matches(_ data: Data) -> Bool {
    let names = Set(targets.flatMap { [$0, $0.prefix(1).uppercased() + $0.dropFirst()] })
    var counts: [String: Int] = [:]
    for line in GeneratedMark.lines(data) where !line.isEmpty {
      guard let form = Self.form(of: line, names) else { return false }
      counts[form, default: 0] += 1
    }
    let targetCount = counts[".target("] ?? 0
    return counts["let package = Package("] == 1 && counts[".package"] == 1 && (1...2).contains(targetCount)
      && counts["path"] == targetCount && counts[".product"] == targetCount
      && (counts[".library"] ?? 0) <= targetCount && (counts[".target"] ?? 0) <= 1
  }

  private static let fixed: Set = [
    "import PackageDescription", "let package = Package(", "platforms: [", "products: [", "dependencies: [",
    "targets: [", ".target(", "],", "),", ")", "]",
  ]

  /// What kind of a line it is; nil for one that Apollo's generator does not write.
  private static func form(of line: String, _ names: Set<String>) -> String? {
    if fixed.contains(line) { return line }
    for name in names {
      switch line {
      case "name: \"\(name)\",": return "name"
      case ".library(name: \"\(name)\", targets: [\"\(name)\"]),": return ".library"
      case ".target(name: \"\(name)\"),": return ".target"
      default: break
      }
    }
    let forms = [
      "// swift-tools-version:": "version", "swiftLanguageModes: [": "modes", "swiftLanguageVersions: [": "modes",
      ".iOS(": "platform", ".macOS(": "platform", ".tvOS(": "platform", ".watchOS(": "platform",
      ".visionOS(": "platform", "path: \"": "path", ".product(name: \"ApolloAPI\", package: \"": ".product",
      ".product(name: \"ApolloTestSupport\", package: \"": ".product", ".package(url: \"": ".package",
      ".package(path: \"": ".package", ".package(name: \"": ".package",
    ]
    return forms.first { line.hasPrefix($0.key) }?.value
  }
}
