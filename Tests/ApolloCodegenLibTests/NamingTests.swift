import Foundation
import Testing

@testable import ApolloCodegenLib
@testable import ApolloSwiftRenderer

@Suite("Naming") struct NamingTests {
  @Test(
    "By the rules of Apollo iOS 0.x, irregular words are found inside of names, and some words have no singular",
    arguments: [
      ("AllPeople", "AllPerson"), ("People", "Person"), ("Women", "Woman"), ("MyChildren", "MyChild"),
      ("Species", "Species"),
      ("Friends", "Friend"), ("Moves", "Move"), ("availableMoves", "availableMove"),
    ])
  func singularOfReleases0(plural: String, singular: String) {
    #expect(Inflection().singularOfReleases0(plural) == singular)
  }

  @Test(
    "The elements of a list are named in the singular",
    arguments: [
      ("Friends", "Friend"), ("People", "Person"), ("Children", "Child"), ("Cities", "City"), ("Boxes", "Box"),
      ("Classes", "Class"), ("Statuses", "Status"), ("Addresses", "Address"), ("Matches", "Match"), ("News", "News"),
      ("Series", "Series"), ("Data", "Datum"), ("Movies", "Movie"), ("Heroes", "Hero"), ("Houses", "House"),
      ("Status", "Status"), ("Analysis", "Analysis"), ("Edges", "Edge"), ("Nodes", "Node"), ("User_ids", "User_id"),
      ("AppearsIn", "AppearsIn"), ("URLs", "URL"), ("Wolves", "Wolf"), ("Knives", "Knife"),
      ("Properties", "Property"), ("Media", "Medium"), ("S", "S"), ("", ""), ("Shelves", "Shelf"),
      ("Indices", "Index"), ("Photos", "Photo"), ("Buses", "Bus"), ("Quizzes", "Quiz"), ("Aliases", "Alias"),
      ("Responses", "Response"), ("Tries", "Try"),
    ])
  func singular(plural: String, singular: String) {
    #expect(Inflection().singular(plural) == singular)
  }

  @Test(
    "The rules are those of InflectorKit, by which Apollo iOS names types, also where English has others",
    arguments: [
      // Endings in -ta and -ia.
      ("SearchMedia", "SearchMedium"), ("Metadata", "Metadatum"), ("Criteria", "Criterium"), ("Area", "Area"),
      // What sounds like a plural is one.
      ("Analytics", "Analytic"), ("Credentials", "Credential"), ("Stats", "Stat"), ("Bonus", "Bonu"),
      // -ies, -ves, -ches and -ses have one rule each.
      ("Cookies", "Cooky"), ("Categories", "Category"), ("Surveys", "Survey"), ("Soliloquies", "Soliloquy"),
      ("Ies", "Ie"), ("MyMovies", "MyMovie"), ("Leaves", "Leafe"), ("Reserves", "Reserf"), ("Archives", "Archive"),
      ("Perspectives", "Perspective"), ("Caches", "Cach"), ("Branches", "Branch"), ("Bases", "Basis"),
      ("Databases", "Database"), ("Releases", "Release"), ("Analyses", "Analysis"), ("Hypotheses", "Hypothesis"),
      ("Taxes", "Tax"), ("Indexes", "Index"), ("GameIndices", "GameIndex"), ("Horseshoes", "Horseshoe"),
      // Some words are known only as the whole name.
      ("Axes", "Axis"), ("YAxes", "YAx"), ("Mice", "Mouse"), ("TitMice", "TitMice"), ("Oxen", "Ox"),
      ("OxenOwners", "OxOwners"), ("Men", "Man"), ("Women", "Women"), ("ActivePeople", "ActivePeople"),
      ("AllChildren", "AllChildren"), ("Sexes", "Sex"), ("Moves", "Move"), ("AvailableMoves", "AvailableMofe"),
      ("Zombies", "Zombie"), ("AllZombies", "AllZomby"), ("Geese", "Geese"), ("Teeth", "Teeth"),
      // Words without another singular are known in lower case only.
      ("Species", "Specy"), ("Jeans", "Jean"), ("Information", "Information"), ("Sheep", "Sheep"),
      // What a rule adds is in lower case.
      ("CATEGORIES", "CATEGORy"), ("STATUSES", "STATUS"), ("PEOPLE", "PEOPLE"),
    ])
  func inflectorKit(plural: String, singular: String) {
    #expect(Inflection().singular(plural) == singular)
  }

  @Test("Rules of the user are about the whole name, and win")
  func additionalRules() {
    let inflection = Inflection(
      irregular: ["Statii": "Status", "people": "human", "men": "child"], uncountable: ["Friends", "LineData"],
      rules: [.init(pattern: "^OrderItems$", replacement: "OrderItems")])
    #expect(inflection.singular("Statii") == "Status" && inflection.singular("AllStatii") == "AllStatii")
    #expect(inflection.singular("People") == "Human", "A word in lower case is known in upper case, too.")
    #expect(inflection.singular("Children") == "Children", "The plural of a word is the user's.")
    #expect(inflection.singular("Friends") == "Friends" && inflection.singular("MyFriends") == "MyFriend")
    #expect(inflection.singular("LineData") == "LineData" && inflection.singular("OtherLineData") == "OtherLineDatum")
    #expect(inflection.singular("OrderItems") == "OrderItems" && inflection.singular("MyOrderItems") == "MyOrderItem")
    #expect(Inflection(irregular: ["TeamMedia": "TeamMedia"]).singular("TeamMedia") == "TeamMedia")
  }

  @Test("Rules of a configuration name the types of fields as Apollo iOS does")
  func configuredRules() throws {
    let rules = """
      [{ "uncountable": { "word": "LineData" } },
       { "irregular": { "plural": "TeamMedia", "singular": "TeamMedia" } },
       { "singularization": { "pluralRegex": "^OrderItems$", "replacementRegex": "OrderItems" } }]
      """
    let (configuration, messages) = ConfigurationTests.read(
      ConfigurationTests.minimal(options: "{ \"additionalInflectionRules\": \(rules) }"))
    let inflection = try #require(configuration, "\(messages)").rendering.inflection
    let folder = try TemporaryFolder([
      "s.graphqls": "type A { a: Int } type Query { lineData: [A] teamMedia: [A] orderItems: [A] activePeople: [A] }",
      "Q.graphql": "query Q { lineData { a } teamMedia { a } orderItems { a } activePeople { a } }",
    ])
    #expect(!folder.generate { $0.rendering.inflection = inflection }.hasErrors)
    let code = try folder.text("out/Q.graphql.swift")
    for name in ["LineData", "TeamMedia", "OrderItems", "ActivePeople"] {
      #expect(code.contains("struct \(name): "), "\(name)\n\(code)")
    }
  }

  @Test("Regular expressions of the user are tried first, the last one before the others, and replace each match")
  func singularization() {
    let inflection = Inflection(rules: [
      .init(pattern: "(.*)a$", replacement: "$1um"), .init(pattern: "^x(y)z$", replacement: "$12$2\\_"),
      .init(pattern: "^ERRA", replacement: "Corri"), .init(pattern: "o", replacement: "0"),
    ])
    #expect(inflection.singular("xyz") == "y2_")
    #expect(inflection.singular("Errata") == "Corrita")
    #expect(inflection.singular("fooOs") == "f000s")
    #expect(inflection.singular("heres") == "here")
    #expect(inflection.singular("schemata") == "schematum")
  }

  /// Asked for in Apollo iOS (issue 3419), and built there in 2.3 and 2.4.
  @Test("Words are capitalized as the rules say, in names of members, operations and fragments, and not in others")
  func capitalization() throws {
    let folder = try TemporaryFolder([
      "schema.graphqls": """
      type Query { userUrl(id: UrlIn, user: ID, kind: UrlKind): UrlInfo, url: String, apiKey: ID, user_id: ID, hidden: Int, kind: UrlKind }
      type UrlInfo { iosId: Int, graphql: Int } input UrlIn { userId: ID, graphql: Int }
      enum UrlKind { BASE_URL GRAPHQL }
      """,
      "Q.graphql": """
      query InfoById($userId: ID, $in: UrlIn, $k: UrlKind) {
        userUrl(id: $in, user: $userId, kind: $k) { ...UrlParts } url apiKey user_id hidden
      }
      fragment UrlParts on UrlInfo { iosId graphql }
      """,
    ])
    let report = folder.generate {
      $0.rendering.capitalization.rules = [
        (.word("url"), .upper), (.pattern("^Id$"), .upper), (.word("ios"), .replace("iOS")), (.word("api"), .upper),
        (.word("GRAPHQL"), .replace("GraphQL")),
      ]
      $0.output.testMocks = .absolute(path: "Mocks", accessLevel: .internal)
    }
    #expect(!report.hasErrors)
    let text = try folder.text("out/Q.graphql.swift"), schema = try folder.text("out/Schema.graphql.swift")
    for part in [
      "struct InfoByIDQuery: GraphQLQuery", "\"InfoById\"", "struct URLParts:", "var urlParts: URLParts",
      "var userURL: UserUrl?", "var url: String?", "var apiKey: String?", "var user_id: String?", "var hidden: Int?",
      "var iOSID: Int?", "var graphQL: Int?", "userID: GraphQLNullable<String>",
    ] {
      #expect(text.contains(part), "\(part)\n\(text)")
    }
    for part in ["struct UrlIn:", "var userID:", "enum UrlKind:", "case baseURL = ", "case GraphQL = "] {
      #expect(schema.contains(part), "\(part)\n\(schema)")
    }
    let mock = try folder.text("Mocks/UrlInfo+Mock.graphql.swift")
    #expect(mock.contains("let iOSID = MockField<Int>(\"iosId\""), "\(mock)")
    #expect(try folder.text("Mocks/Query+Mock.graphql.swift").contains("let userURL = MockField<Mock<UrlInfo>>"))
  }

  @Test(
    "Rules apply to words one after the other: a word in upper case only where it begins so",
    arguments: [
      ("XMLParser", "XMLPARSER"), ("userID", "userId"), ("IDToken", "idTOKEN"), ("aParser", "aTOKEN"),
      ("idToken", "idTOKEN"),
      ("tokenOfParser", "tokenOfPARSER"), ("my2Token", "my2Token"), ("hiddenTokens", "hiddenTOKENS"),
    ])
  func ruleOrder(name: String, result: String) {
    var capitalization = Capitalization()
    capitalization.rules = [
      (.word("parser"), .replace("Token")), (.pattern("Token"), .upper), (.word("id"), .lower),
    ]
    if result.hasSuffix("PARSER") { capitalization.rules[0].strategy = .upper }
    #expect(capitalization.apply(to: name) == result)
  }

  @Test("A regular expression of a rule is not compiled again for each word")
  func compiledRules() throws {
    let texts = (0..<20).map { "^(Id|Url|Ios)\($0)$" }, words = (0..<200).map { "word\($0)" }, clock = ContinuousClock()
    var capitalization = Capitalization()
    capitalization.rules = texts.map { (.pattern($0), .upper) }
    let inflection = Inflection(rules: texts.map { .init(pattern: $0, replacement: "$1") })
    let compiling = try clock.measure {
      for text in texts { for word in words { _ = try Regex(text).firstMatch(in: word) } }
    }
    // (It takes about a twentieth of the time. A machine that is busy may hold up one of the measurements.)
    func shortest(_ body: () -> Void) -> Duration { (0..<3).map { _ in clock.measure(body) }.min() ?? compiling }
    #expect(shortest { for word in words { _ = capitalization.apply(to: word) } } < compiling / 2)
    #expect(shortest { for word in words { _ = inflection.singular(word) } } < compiling / 2)
  }

  @Test("A rule that is changed matches what its new regular expression does")
  func changedRules() {
    var rule = Inflection.Rule(pattern: "a$", replacement: "um")
    rule.pattern = "e$"
    #expect(Inflection(rules: [rule]).singular("errate") == "erratum")
    var capitalization = Capitalization()
    capitalization.rules = [(.pattern("^Id$"), .upper)]
    capitalization.rules[0].term = .pattern("^Url$")
    #expect(capitalization.apply(to: "idOfUrlId") == "idOfURLId")
  }

  /// What Apollo iOS 2.4 makes of these names.
  @Test(
    "Names in camel case are those of Apollo iOS",
    arguments: [
      ("SIZE_2XL", "size2Xl"), ("NEW_HOPE", "newHope"), ("JEDI", "jedi"), ("Large", "large"), ("userID", "userID"),
      ("user_firstName", "userFirstname"), ("foo__bar", "foo_Bar"), ("FOO_", "foo_"), ("_FOO_BAR", "_fooBar"),
      ("_Foo", "_foo"), ("__typename", "__typename"), ("_", "_"), ("__", "__"), ("iOS_17", "ios17"),
      ("UTC_PLUS_05_30", "utcPlus0530"), ("A", "a"), ("MP4_H264", "mp4H264"), ("in_2d_view", "in2DView"),
      ("snake_case_", "snakeCase_"), ("2", "2"),
    ])
  func camelCase(name: String, result: String) {
    #expect(Identifier.camelCased(name) == result)
  }

  @Test("A variable is called as a field is, and two that would have one name are two")
  func variables() throws {
    let folder = try TemporaryFolder([
      "schema.graphqls": "type Query { a(x: [ID]): Int }",
      "Q.graphql": "query Q($ID: ID, $UserId: ID!, $user_name: ID, $id: ID) { a(x: [$ID, $UserId, $user_name, $id]) }",
    ])
    func properties(_ change: @escaping (inout RenderingOptions) -> Void) throws -> [String] {
      #expect(!folder.generate { change(&$0.rendering) }.hasErrors)
      let code = try folder.text("out/Q.graphql.swift")
      for name in ["ID", "UserId", "user_name", "id"] { #expect(code.contains("\"\(name)\"")) }
      return code.matches(of: #/  var (\w+): (?:GraphQLNullable<String>|String)\n/#).map { String($0.1) }
    }
    #expect(try properties { _ in } == ["id", "userId", "user_name", "id_"])
    #expect(try properties { $0.convertsFieldNames = true } == ["id", "userId", "userName", "id_"])
    #expect(try properties { $0.naming = .legacy } == ["ID_", "UserId", "user_name", "id"])
  }

  @Test(
    "What Apollo iOS gives a suffix has it here: in lists of errors, in types of the schema, in constants and mocks")
  func suffixes() throws {
    let folder = try TemporaryFolder([
      "schema.graphqls": """
      type Query { errors: [Error!]!, type: DocumentType, selection: Selection, users: users, Users: Users }
      type Error { message: String } enum DocumentType { A } type Selection { id: ID! }
      type users { id: ID! } type Users { id: ID! }
      """,
      "Q.graphql": """
      query Q { errors { message } type selection { ...Schema } users { id } Users { id } }
      fragment Schema on Selection { id }
      """,
    ])
    let report = folder.generate {
      $0.output.moduleType = .other
      $0.output.testMocks = .absolute(path: "Mocks", accessLevel: .public)
    }
    #expect(!report.hasErrors)
    let code = try folder.files.filter { $0.hasSuffix(".swift") }.map { try folder.text($0) }.joined()
    for part in [
      "struct Error_SelectionSet:", "struct Selection_SelectionSet:", "struct Schema_Fragment:",
      "enum DocumentType_Enum:",
      "static let Error_Object = ApolloAPI.Object", "static let Selection_Object = ",
      "static let Users = ApolloAPI.Object(typename: \"users\"", "static let Users_ = ",
      "enum Error_Object: MockObject", "enum Selection_Object: MockObject",
    ] {
      #expect(code.contains(part), "\(part)\n\(code)")
    }
  }

  @Test("A name stays where a rule would make a text of it that is not a name", arguments: ["", "2nd"])
  func rulesWithoutNames(text: String) throws {
    let folder = try TemporaryFolder([
      "schema.graphqls": "type Query { foo: Int, barFoo: Int }", "Q.graphql": "query Q { foo barFoo }",
    ])
    #expect(!folder.generate { $0.rendering.capitalization.rules = [(.word("foo"), .replace(text))] }.hasErrors)
    let code = try folder.text("out/Q.graphql.swift")
    #expect(code.contains("var foo: Int?\n") && code.contains("var bar\(text): Int?\n"), "\(code)")
    let inflection = Inflection(irregular: ["foos": text], rules: [.init(pattern: "^(bar)s$", replacement: text)])
    #expect(inflection.singular("foos") == "foos" && inflection.singular("Foos") == "Foos")
    #expect(inflection.singular("Bars") == "Bars" && inflection.singular("Bazs") == "Baz")
  }

  @Test("Types, cases and fields have the names that the configuration gives them, and keep theirs in GraphQL")
  func customNames() throws {
    let folder = try TemporaryFolder([
      "schema.graphqls": """
      type Query { node(filter: Filter, kind: Kind): Node, at: When }
      interface Node { id: ID! }
      type Droid implements Node { id: ID! }
      enum Kind { A B }
      input Filter { kind: Kind }
      scalar When
      """,
      "Q.graphql": "query Q($f: Filter, $k: Kind = A) { node(filter: $f, kind: $k) { ... on Droid { id } } at }",
    ])
    _ = folder.generate {
      $0.rendering.customTypeNames = [
        "Kind": .init(name: "Sort", members: ["A": "first"]), "Filter": .init(members: ["kind": "sort"]),
        "Droid": .init(name: "Robot"), "When": .init(name: "Moment"),
      ]
    }
    let schema = try folder.text("out/Schema.graphql.swift"), text = try folder.text("out/Q.graphql.swift")
    #expect(schema.contains("enum Sort: String, EnumType {\n  case first = \"A\"\n  case b = \"B\"\n"))
    #expect(schema.contains("typealias Moment = String"))
    #expect(schema.contains("var sort: GraphQLNullable<GraphQLEnum<Sort>>"))
    #expect(schema.contains("writer.write(\"kind\", sort)"))
    #expect(text.contains("k: GraphQLNullable<GraphQLEnum<Sort>> = .some(.case(.first))"))
    #expect(text.contains("var asRobot: AsRobot?") && text.contains("... on Droid {"))
  }

  @Test(
    "Of two fragments with one field, the property is of the one that always has it when the other has",
    arguments: ["...A ...B", "...B ...A", "...T"])
  func fieldUnderTwoConditions(selections: String) throws {
    let folder = try TemporaryFolder([
      "s.graphqls": "type Query { f: String, other: Int }",
      "Q.graphql": """
      query Q($b: Boolean!, $c: Boolean!) { \(selections) }
      fragment T on Query { ...A ... on Query { ...B } }
      fragment A on Query { f @skip(if: $b) @include(if: $c) other }
      fragment B on Query { f @include(if: $c) }
      """,
    ])
    #expect(!folder.generate().hasErrors)
    let code = try folder.files.filter { $0.hasSuffix("Q.graphql.swift") }.map { try folder.text($0) }.joined()
    #expect(code.contains("var f: String? { get { b.f }"), "\(code)")
    #expect(!code.contains("var f: String? { get { a.f }"))
  }

  @Test("Where neither of two fragments always has the field, the property reads either, and nil is set in both")
  func fieldUnderOtherConditions() throws {
    let folder = try TemporaryFolder([
      "s.graphqls": "type Query { f: String, other: Int }",
      "Q.graphql": """
      query Q($b: Boolean!, $c: Boolean!) { ...A ...B }
      fragment A on Query { f @skip(if: $b) other }
      fragment B on Query { f @include(if: $c) }
      """,
    ])
    #expect(!folder.generate().hasErrors)
    let code = try folder.files.filter { $0.hasSuffix("Q.graphql.swift") }.map { try folder.text($0) }.joined()
    #expect(code.contains("a.f ?? b.f") && code.contains("if newValue == nil { b.f = nil }"), "\(code)")
  }

  @Test("A key field that one of two selections of an object has is read once, as a property")
  func keyFieldOfOneSelection() throws {
    let folder = try TemporaryFolder([
      "s.graphqls": """
      type Query { node: Node } interface Node { id: ID! }
      type Book implements Node @typePolicy(keyFields: "isbn") { id: ID! isbn: String! }
      type Author implements Node @typePolicy(keyFields: "id") { id: ID! }
      """,
      "Q.graphql": "query Q { node { id } node { __typename } }",
    ])
    #expect(!folder.generate().hasErrors)
    let code = try folder.files.filter { $0.hasSuffix("Q.graphql.swift") }.map { try folder.text($0) }.joined()
    #expect(code.contains("var __key_isbn") && !code.contains("__key_id"), "\(code)")
  }

  @Test(
    "A parameter that is renamed in the body does not take the name of a property",
    arguments: ["outer", "object", "self"])
  func renamedParameters(name: String) throws {
    let folder = try TemporaryFolder([
      "s.graphqls":
        "type Query { a: A } interface A { \(name): Int } type B implements A { \(name): Int value: String }",
      "Q.graphql": "query Q { a { \(name) ... on B { _\(name): value } } }",
    ])
    #expect(!folder.generate().hasErrors)
    let code = try folder.files.filter { $0.hasSuffix("Q.graphql.swift") }.map { try folder.text($0) }.joined()
    #expect(code.contains("\(name) __\(name): Int?") || code.contains("`\(name)` __\(name): Int?"), "\(code)")
    #expect(code.contains("_\(name) = try object.read(") && code.contains("= __\(name)\n"))
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
      "Pods/Manifest.lock": "",
    ])
    var finder = FileSearch(base: folder.url.path)
    let files = finder.files(matching: ["**/*.graphql", "!**/Skip.*"])
    #expect(files.map { String($0.dropFirst(folder.url.path.count + 1)) } == ["A.graphql", "x/B.graphql"])
  }

  @Test("No more levels of folders are searched than a pattern has")
  func depthOfSearch() throws {
    #expect(Glob("schema.graphqls", base: "/base").depth == 1)
    #expect(Glob("/a/b/*/x?.graphql", base: "/base").depth == 2)
    #expect(Glob("a/**/x.graphql", base: "/base").depth == nil)
    let folder = try TemporaryFolder(["A.graphql": "", "x/B.graphql": "", "y/B.graphql": "", "x/y/B.graphql": ""])
    var finder = FileSearch(base: folder.url.path)
    let found = { (pattern: String) in
      finder.files(matching: [pattern]).map { String($0.dropFirst(folder.url.path.count + 1)) }
    }
    #expect(found("*/B.graphql") == ["x/B.graphql", "y/B.graphql"])
    #expect(found("x/B.graphql") == ["x/B.graphql"])
    #expect(found("x/*/*.graphql") == ["x/y/B.graphql"])
    #expect(found("*.graphql") == ["A.graphql"])
  }
}
