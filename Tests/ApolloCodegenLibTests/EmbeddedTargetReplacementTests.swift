import ApolloCodegenLib
import Foundation
import Testing

/// Where the schema's types are in a namespace of a target, operations of Apollo's generator import the target, and name
/// the namespace before each type.
@Suite("Files of Apollo's generator in a target") struct EmbeddedTargetReplacementTests {
  private static let relative = ReplacementTests.Way(testDescription: "beside documents") {
    $0.output.operations = .relative(subpath: nil, accessLevel: .internal)
  }
  private static let absolute = ReplacementTests.Way(testDescription: "in a folder") {
    $0.output.operations = .absolute(path: "ops", accessLevel: .internal)
  }

  private static func file(importing target: String, of namespace: String) -> String {
    """
    // @generated
    // This file was automatically generated and should not be edited.

    @_exported import ApolloAPI
    @_spi(Execution) public import \(target)

    struct Card: \(namespace).SelectionSet, Fragment {
    }

    """
  }

  @Test(
    "They are replaced and removed beside documents and in a folder for operations",
    arguments: [
      (relative, "Queries/HeroQuery.graphql.swift", "Card.graphql.swift"),
      (absolute, "ops/Queries/HeroQuery.graphql.swift", "ops/Card.graphql.swift"),
    ])
  func own(way: ReplacementTests.Way, obsolete: String, replaced: String) throws {
    let theirs = Self.file(importing: "App", of: "HeroAPI")
    let folder = try TemporaryFolder(ReplacementTests.inputs.merging([obsolete: theirs, replaced: theirs]) { $1 })
    let report = Self.run(way, in: folder)
    #expect(report.errors(in: folder) == "")
    #expect(report.removedFiles == [folder.url.appendingPathComponent(obsolete).path])
    #expect(try folder.text(replaced).contains("struct Card: "), "\(folder.files)")
    #expect(try !folder.text(replaced).contains("HeroAPI.SelectionSet, Fragment"))
  }

  @Test(
    "Those of another target, and of another namespace, stay",
    arguments: [("Other", "HeroAPI"), ("MyApp", "HeroAPI"), ("App", "MyHeroAPI"), ("App", "My.HeroAPI")])
  func foreign(target: String, namespace: String) throws {
    let theirs = Self.file(importing: target, of: namespace)
    let obsolete = "Queries/HeroQuery.graphql.swift", replaced = "Card.graphql.swift"
    let folder = try TemporaryFolder(ReplacementTests.inputs.merging([obsolete: theirs]) { $1 })
    #expect(Self.run(Self.relative, in: folder).removedFiles == [])
    #expect(try folder.text(obsolete) == theirs)
    let other = try TemporaryFolder(ReplacementTests.inputs.merging([replaced: theirs]) { $1 })
    #expect(Self.run(Self.relative, in: other).errorCodes == [.foreignFile])
  }

  private static func run(_ way: ReplacementTests.Way, in folder: TemporaryFolder) -> ApolloCodegen.Report {
    let inTarget = ReplacementTests.Way(testDescription: way.testDescription) {
      $0.output.moduleType = .embeddedInTarget(name: "App", accessLevel: .internal)
      way.change(&$0)
    }
    return ReplacementTests.run(inTarget, in: folder)
  }
}
