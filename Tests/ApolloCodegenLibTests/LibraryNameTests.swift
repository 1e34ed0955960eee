import ApolloCodegenLib
import Testing

@Suite("Names that Apple's libraries have") struct LibraryNameTests {
  private static let files = [
    "schema.graphqls": """
    type Query { at(date: Date, text: Text, record: Record): Episode }
    scalar Date
    enum Text { LARGE }
    enum Episode { JEDI }
    input Record { name: String }
    """,
    "Q.graphql": "query Q($d: Date, $t: Text = LARGE, $r: Record) { at(date: $d, text: $t, record: $r) }",
  ]

  @Test("Beside an app's own types, types of the schema with such names get a suffix, and one warning names them all")
  func sameModule() throws {
    let folder = try TemporaryFolder(Self.files)
    let report = folder.generate()
    let schema = try folder.text("out/Schema.graphql.swift"), text = try folder.text("out/Q.graphql.swift")
    for line in ["typealias Date_Scalar = String", "enum Text_Enum: ", "struct Record_InputObject: ", "enum Episode: "]
    {
      #expect(schema.contains(line), "\(line)")
    }
    #expect(text.contains("var r: GraphQLNullable<Record_InputObject>\n"))
    #expect(report.diagnostics.map(\.code) == [.libraryName])
    let warning = try #require(report.diagnostics.first)
    #expect(warning.severity == .warning)
    #expect(
      warning.message
        == #"3 types of the schema are called like types of Apple's libraries, and have suffixes in Swift: "Text" is "Text_Enum", "Record" is "Record_InputObject", "Date" is "Date_Scalar"."#
    )
  }

  @Test(
    "In a namespace, or in a module of their own, they keep their names",
    arguments: [
      ApolloCodegenConfiguration.ModuleType.embeddedInTarget(name: "App", accessLevel: .internal), .other,
      .swiftPackage(nil),
    ])
  func namespaces(moduleType: ApolloCodegenConfiguration.ModuleType) throws {
    for isRedirected in [false, true] {
      let folder = try TemporaryFolder(Self.files)
      let report = folder.generate {
        $0.output.moduleType = moduleType
        // As the build tool plugin does.
        if isRedirected { $0.output.redirect(to: "out") }
      }
      #expect(!report.diagnostics.contains { $0.code == .libraryName })
      let schema = try folder.files.filter { $0.hasSuffix("Schema.graphql.swift") }.map(folder.text).joined()
      for line in ["enum Text: ", "struct Record: "] { #expect(schema.contains(line), "\(line)") }
    }
  }

  @Test("A name that the configuration gives is used as it is, and a scalar that is the library's type keeps its name")
  func configured() throws {
    let folder = try TemporaryFolder(Self.files)
    let report = folder.generate {
      $0.rendering.customScalars = ["Date": .init(type: "Date", module: "Foundation")]
      $0.rendering.customTypeNames = ["Text": .init(name: "View"), "Record": .init(members: ["name": "title"])]
    }
    let schema = try folder.text("out/Schema.graphql.swift")
    for line in ["typealias Date = Foundation.Date", "enum View: ", "struct Record_InputObject: ", "var title: "] {
      #expect(schema.contains(line), "\(line)")
    }
    #expect(report.diagnostics.map(\.code) == [.libraryName])
    #expect(report.diagnostics.first?.message.contains(#"suffix in Swift: "Record" is "Record_InputObject"."#) == true)
  }

  @Test("A scalar keeps the name of its type also where the type says its module")
  func namedModule() throws {
    let folder = try TemporaryFolder(Self.files)
    _ = folder.generate { $0.rendering.customScalars = ["Date": .init(type: "Foundation.Date")] }
    let schema = try folder.text("out/Schema.graphql.swift")
    #expect(schema.contains("typealias Date = Foundation.Date\n"), "\(schema)")
    #expect(schema.contains("import Foundation\n"))
  }

  @Test("A scalar that is mapped to another type gets a suffix, as its name would hide the library's type")
  func mapped() throws {
    let folder = try TemporaryFolder(Self.files)
    _ = folder.generate { $0.rendering.customScalars = ["Date": .init(type: "Moment", module: "Clocks")] }
    #expect(try folder.text("out/Schema.graphql.swift").contains("typealias Date_Scalar = Clocks.Moment"))
    #expect(try folder.text("out/Q.graphql.swift").contains("var d: GraphQLNullable<Date_Scalar>\n"))
  }
}
