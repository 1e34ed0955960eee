import ApolloSwiftRenderer
import Foundation
import Testing

@testable import ApolloCodegenLib

@Suite("Naming") struct NamingTests {
  @Test(
    "The elements of a list are named in the singular",
    arguments: [
      ("friends", "friend"), ("Friends", "Friend"), ("allPeople", "allPerson"), ("people", "person"),
      ("children", "child"), ("cities", "city"), ("boxes", "box"), ("classes", "class"), ("statuses", "status"),
      ("addresses", "address"), ("matches", "match"), ("news", "news"), ("series", "series"), ("data", "data"),
      ("movies", "movie"), ("heroes", "hero"), ("houses", "house"), ("status", "status"), ("analysis", "analysis"),
      ("edges", "edge"), ("nodes", "node"), ("user_ids", "user_id"), ("appearsIn", "appearsIn"), ("URLs", "URL"),
      ("wolves", "wolf"), ("knives", "knife"), ("properties", "property"), ("media", "media"), ("s", "s"), ("", ""),
      ("leaves", "leaf"), ("indices", "index"), ("photos", "photo"), ("buses", "bus"), ("quizzes", "quiz"),
      ("caches", "cache"), ("aliases", "alias"), ("responses", "response"), ("cookies", "cookie"), ("tries", "try"),
    ])
  func singular(plural: String, singular: String) {
    #expect(Inflection().singular(plural) == singular)
  }

  @Test("Rules of the user win")
  func additionalRules() {
    let inflection = Inflection(irregular: ["Statii": "Status", "people": "human"], uncountable: ["Friends"])
    #expect(inflection.singular("allStatii") == "allStatus")
    #expect(inflection.singular("people") == "human")
    #expect(inflection.singular("friends") == "friends")
  }

  @Test(
    "Patterns match paths by component",
    arguments: [
      ("*.graphql", "/base/A.graphql", true), ("*.graphql", "/base/x/A.graphql", false),
      ("**/*.graphql", "/base/A.graphql", true), ("**/*.graphql", "/base/x/y/A.graphql", true),
      ("x/**/A.*", "/base/x/A.b", true), ("x/**/A.*", "/base/y/A.b", false), ("./a?.g", "/base/ab.g", true),
      ("./a?.g", "/base/a.g", false), ("../s/*", "/s/x", true), ("/abs/*.g", "/abs/x.g", true),
      ("**/x/**", "/base/x", true), ("a*b*c", "/base/a1b2c", true), ("a*b*c", "/base/a1c", false),
    ])
  func globs(pattern: String, path: String, matches: Bool) {
    #expect(Glob(pattern, base: "/base").matches(path) == matches)
  }

  @Test("Exclusions and folders of tools are left out of a search")
  func fileFinder() throws {
    let folder = try TemporaryFolder([
      "A.graphql": "", "x/B.graphql": "", "x/Skip.graphql": "", ".build/C.graphql": "", "Pods/D.graphql": "",
    ])
    let files = FileFinder(base: folder.url.path).files(matching: ["**/*.graphql", "!**/Skip.*"])
    #expect(files.map { String($0.dropFirst(folder.url.path.count + 1)) } == ["A.graphql", "x/B.graphql"])
  }
}
