import ApolloCodegenLib
import ApolloIR
import Testing

@testable import ApolloSwiftRenderer

@Suite("Names of releases 0.x") struct LegacyNameTests {
  @Test(
    "Names are made of words in lower case, which are capitalized",
    arguments: [
      ("air_date", "airDate", "AirDate"), ("salesforceID", "salesforceId", "SalesforceId"),
      ("SearchWorksByID", "searchWorksById", "SearchWorksById"), ("URL", "url", "Url"),
      ("URLString", "urlString", "UrlString"), ("myURLs", "myUrLs", "MyUrLs"), ("NEW_HOPE", "newHope", "NewHope"),
      ("newHope", "newHope", "NewHope"), ("name", "name", "Name"), ("iOSVersion", "iOsVersion", "IOsVersion"),
      ("address1", "address1", "Address1"), ("top10Items", "top10Items", "Top10Items"),
      ("line2b", "line2B", "Line2B"), ("is3D", "is3D", "Is3D"), ("utf8_2", "utf82", "Utf82"),
      ("a_b_c", "aBC", "ABC"), ("user__name", "userName", "UserName"), ("_id", "_id", "_Id"),
      ("__typename", "__typename", "__Typename"), ("type_", "type_", "Type_"), ("_", "_", "_"), ("_2", "_2", "_2"),
      ("the1stOne", "the1stOne", "The1stOne"), ("the4thHour", "the4thHour", "The4thHour"),
      ("the2ndhand", "the2Ndhand", "The2Ndhand"), ("", "", ""),
    ])
  func words(name: String, camelCased: String, pascalCased: String) {
    #expect(LegacyNames.camelCased(name) == camelCased)
    #expect(LegacyNames.pascalCased(name) == pascalCased)
  }

  @Test("Operations have a suffix in any case, and fields of input objects and cases of enums are in camel case")
  func generated() throws {
    let folder = try TemporaryFolder([
      "schema.graphqls": """
      type Query { a(in: In, kind: Kind): Int } type Mutation { a: Int }
      input In { first_name: String, ownerID: ID! } enum Kind { VERY_GOOD userID }
      """,
      "A.graphql": "query heroQuery($in: In, $kind: Kind = userID) { a(in: $in, kind: $kind) } mutation DoIT { a }",
    ])
    func texts(_ naming: RenderingOptions.Naming, keepsCases: Bool = false) throws -> String {
      let report = folder.generate {
        $0.rendering.naming = naming
        $0.rendering.convertsEnumCases = !keepsCases
        $0.rendering.convertsInputFieldNames = !keepsCases
      }
      #expect(report.diagnostics.isEmpty)
      return try folder.text("out/A.graphql.swift") + folder.text("out/Schema.graphql.swift")
    }
    let legacy = try texts(.legacy)
    for text in [
      "struct HeroQueryQuery:", "struct DoItMutation:", "var firstName: GraphQLNullable<String>", "var ownerId: String",
      "init(firstName: String?? = nil, ownerId: String)", "case veryGood =", "case userId =",
    ] {
      #expect(legacy.contains(text), "\(text)")
    }
    let raw = try texts(.legacy, keepsCases: true)
    #expect(raw.contains("case VERY_GOOD") && raw.contains("var first_name:"))
    let standard = try texts(.standard)
    for text in ["struct HeroQuery:", "struct DoITMutation:", "ownerID: String)", "case userID"] {
      #expect(standard.contains(text), "\(text)")
    }
  }

  @Test("A parameter for a variable is an optional, and enums in it are put into GraphQLEnum")
  func variables() throws {
    let program = try lower(schema: "type Query { a: Int } enum Kind { A }", "query Q { a }")
    func parameter(_ type: ValueType, _ naming: RenderingOptions.Naming) -> [String] {
      var options = RenderingOptions()
      options.naming = naming
      let parameter = InitializerParameter(
        variable: type, types: SwiftTypes(names: NameResolver(program, options: options)))
      return ["\(parameter.type)", parameter.absence ?? "", parameter.value("x")]
    }
    let int = ValueType.scalar(.int), kind = ValueType.enum("Kind")
    #expect(parameter(int, .legacy) == ["Int", "", "x"])
    #expect(parameter(.nullable(int), .legacy) == ["Int?", "nil", "GraphQLNullable(absentIfNil: x)"])
    #expect(parameter(kind, .legacy) == ["Kind", "", "GraphQLEnum(x)"])
    #expect(
      parameter(.nullable(kind), .legacy)
        == ["Kind?", "nil", "GraphQLNullable(absentIfNil: x.map { GraphQLEnum($0) })"])
    #expect(parameter(.list(.nullable(kind)), .legacy)[2] == "x.map { $0.map { GraphQLEnum($0) } }")
    #expect(parameter(.nullable(kind), .standard) == ["GraphQLNullable<GraphQLEnum<Kind>>", ".none", "x"])
    #expect(parameter(.list(kind), .standard) == ["[GraphQLEnum<Kind>]", "", "x"])
  }

  @Test("A model of an interface takes its type last, and has a default for it, as there; in 1.x it comes first")
  func typenames() throws {
    let folder = try TemporaryFolder([
      "schema.graphqls": "type Query { a: A } interface A { id: ID! } type B implements A { id: ID!, b: Int }",
      "A.graphql": "query A { a { id ... on B { b } } }",
    ])
    func inits(_ naming: RenderingOptions.Naming) throws -> [String] {
      let report = folder.generate { $0.rendering.naming = naming }
      #expect(!report.hasErrors)
      return try folder.text("out/A.graphql.swift").matches(of: #/ init\((id.*|__typename.*)\) \{/#).map {
        String($0.1)
      }
    }
    #expect(
      try inits(.legacy) == [#"id: String, asB: AsB? = nil, __typename: String = "A""#])
    #expect(
      try inits(.standard) == [
        "__typename: String, id: String, asB: AsB? = nil", "id: String, asB: AsB",
      ])
  }
}
