import Foundation
import GraphQLSyntax

/// The applications beside the package.
enum Shared {
  private static var folder: URL {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let path = ProcessInfo.processInfo.environment["APOLLO_SHARED"]
    return (path.map { URL(fileURLWithPath: $0) } ?? root.deletingLastPathComponent().appendingPathComponent("shared"))
      .appendingPathComponent("projects")
  }

  /// Those whose schemas take less than a second, also in a debug build.
  static let areFast: Set = [
    "buildkite-terraform", "graphqlswift-demo", "rocketreserver-ios", "spotify-showcase-ios", "swapi-graphiql-examples",
    "tpu-mac",
  ]

  /// Their names; empty if they are not there.
  static var projects: [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { !$0.hasPrefix("_") && $0 != "README.md" }.sorted()
  }

  /// The schema, to which keys are added, and the operations, in groups that go together.
  static func files(of project: String) throws -> (schema: [Source], documents: [[Source]]) {
    let folder = folder.appendingPathComponent(project)
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
    func sources(where isWanted: (String) -> Bool) throws -> [Source] {
      try names.filter(isWanted).map { name in
        Source(
          utf8: try Data(contentsOf: folder.appendingPathComponent(name)),
          name: name.split(separator: "/").last.map(String.init) ?? name)
      }
    }
    let schema = try sources { $0.hasPrefix("schema.") }
    var documents = try sources { $0.hasPrefix("ops/") && ($0.hasSuffix(".graphql") || $0.hasSuffix(".gql")) }
    switch project {
    case "saleor-storefront":
      // It selects a field that the schema does not have.
      documents = documents.map { mended($0) { $0.removingDefinition("mutation checkoutLineDelete(") } }
    case "swapi-graphiql-examples":
      // Operations without a name, of one page of a browser: they do not go together.
      return (
        schema,
        documents.map {
          [
            mended($0) {
              $0.hasPrefix("{") ? "query Example " + $0 : $0.replacingOccurrences(of: "\n{", with: "\nquery Example {")
            }
          ]
        }
      )
    default: break
    }
    return (schema, [documents])
  }

  private static func mended(_ source: Source, _ mend: (String) -> String) -> Source {
    Source(mend(source.text), name: source.name)
  }
}

extension String {
  fileprivate func removingDefinition(_ start: String) -> String {
    guard let first = range(of: start), let end = range(of: "\n}", range: first.lowerBound..<endIndex) else {
      return self
    }
    return replacingCharacters(in: first.lowerBound..<end.upperBound, with: "")
  }
}
