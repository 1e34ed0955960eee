import ApolloCodegenLib
import GraphQLSyntax
import Testing

/// `@onDelete` and `@onDeleteField`: what the generator makes of them, and what is wrong with them.
@Suite("Deletion with an object, in the schema") struct OnDeleteTests {
  /// Extensions are for this schema.
  static let library = """
    type Query { book: Book, items: [Item] }
    interface Node { id: ID, notes: [Note] }
    interface Item { id: ID, notes: [Note] }
    type Book implements Node & Item { id: ID, notes: [Note], author: Author, chapters(first: Int): [Chapter] }
    type Author { name: String, books: [Book] }
    type Chapter { title: String }
    type Note { text: String }

    """

  static let query = "query Q { book { id author { name } } }"

  /// The lines that the generator writes for object types with `cascadingFields`.
  private static func objects(_ extensions: String) throws -> [String] {
    var configuration = ApolloCodegenConfiguration()
    configuration.output.schemaConfiguration = .provided
    let code = Pipeline.generate(
      schema: [Source(library, name: "schema.graphqls"), Source(extensions, name: "more.graphqls")],
      operations: [Source(query, name: "Q.graphql")], configuration: configuration)
    let text = try #require(code.value, "\(code.diagnostics.map(\.fullMessage))").schema.text
    let objects = text.matches(of: #/Object\(\s*typename: "([A-Za-z]+)"[^)]*?cascadingFields: (\[[^\]]*\])\s*\)/#)
    return objects.map { "\($0.1) \($0.2)" }
  }

  @Test("It describes the schema, also where no SchemaConfiguration is declared, and in each of several modules")
  func metadata() throws {
    let files = ["more.graphqls": "extend type Book @onDeleteField(name: \"author\", cascade: true)"]
    for part in [ApolloCodegenConfiguration.Output.Part.all, .schemaTypes, .operations] {
      let folder = try TemporaryFolder(["schema.graphqls": Self.library, "Q.graphql": Self.query])
      func texts() throws -> (schema: String, operation: String) {
        let report = folder.generate {
          if part != .all { $0.output.moduleType = .other }
          if part != .all { $0.output.operations = .relative(subpath: nil, accessLevel: .public) }
          $0.output.redirect(to: "out", part: part)
        }
        #expect(report.diagnostics.filter { $0.severity == .error } == [])
        return (
          part == .operations ? "" : try folder.text("out/Schema.graphql.swift"),
          part == .schemaTypes ? "" : try folder.text("out/Q.graphql.swift")
        )
      }
      let without = try texts()
      #expect(!(without.schema + without.operation).contains("SchemaMetadata"))
      for (name, text) in files { try folder.write(text, to: name) }
      let with = try texts()
      if part != .operations {
        #expect(with.schema.contains(#"cascadingFields: ["author"]"#))
        #expect(!with.schema.contains("SchemaConfiguration"))
      }
      if part != .schemaTypes { #expect(with.operation.contains("SchemaMetadata.self")) }
    }
  }

  @Test("The description of the schema has the fields, those of interfaces too")
  func fields() throws {
    #expect(try Self.objects("extend type Author { age: Int }") == [])
    #expect(
      try Self.objects(
        """
        extend type Book @onDeleteField(name: "chapters", cascade: true) @onDeleteField(name: "author", cascade: true)
        extend type Author { drafts: [Book] @onDelete(cascade: true), letters: [Note] @onDelete(cascade: false) }
        """) == [#"Book ["author", "chapters"]"#, #"Author ["drafts"]"#])
    #expect(
      try Self.objects("extend interface Node @onDeleteField(name: \"notes\", cascade: true)") == [#"Book ["notes"]"#])
    #expect(
      try Self.objects(
        """
        extend interface Node @onDeleteField(name: "notes", cascade: true)
        extend type Book @onDeleteField(name: "notes", cascade: false)
        """) == [])
    #expect(
      try Self.objects(
        """
        interface Shared implements Node { id: ID, notes: [Note] }
        extend type Book implements Shared
        extend interface Node @onDeleteField(name: "notes", cascade: false)
        extend interface Shared @onDeleteField(name: "notes", cascade: true)
        """) == [#"Book ["notes"]"#], "An interface comes before those that it implements")
  }

  @Test("A schema may import the directives under other names")
  func names() throws {
    let link = """
      extend schema @link(url: "https://specs.apollo.dev/cache/v0.4",
        import: [{ name: "@onDelete", as: "@drop" }, { name: "@onDeleteField", as: "@dropField" }])
      directive @drop(cascade: Boolean!) on FIELD_DEFINITION
      directive @dropField(name: String!, cascade: Boolean!) repeatable on OBJECT | INTERFACE

      """
    #expect(
      try Self.objects(
        link + "extend type Book @dropField(name: \"author\", cascade: true) { cover: Note @drop(cascade: true) }")
        == [#"Book ["author", "cover"]"#])
  }

  static let mistakes: [(extensions: String, message: String)] = [
    (
      "extend type Book @onDeleteField(name: \"autor\", cascade: true)",
      "more.graphqls:1:18: error: The type \"Book\" has no field \"autor\" whose objects could be deleted. "
        + "Did you mean \"author\"?"
    ),
    (
      "extend type Author { age: Int @onDelete(cascade: true) }",
      "more.graphqls:1:31: error: \"Author.age\" leads to no objects that could be deleted. Remove @onDelete."
    ),
    (
      "extend type Book @onDeleteField(name: \"author\", cascade: true) @onDeleteField(name: \"author\", cascade: true)",
      "more.graphqls:1:64: error: \"Book.author\" says more than once what is deleted. Remove one of them."
    ),
    (
      "extend interface Item @onDeleteField(name: \"notes\", cascade: false) "
        + "extend interface Node @onDeleteField(name: \"notes\", cascade: true)",
      "schema.graphqls:4:6: error: The objects of \"Book.notes\" are deleted with it as a \"Node\", and stay as a "
        + "\"Item\". Let it say so itself: extend type Book @onDeleteField(name: \"notes\", cascade: …)"
    ),
    (
      "interface Both implements Node & Item { id: ID, notes: [Note] } extend type Book implements Both "
        + "extend interface Item @onDeleteField(name: \"notes\", cascade: false) "
        + "extend interface Node @onDeleteField(name: \"notes\", cascade: true)",
      "more.graphqls:1:11: error: The objects of \"Both.notes\" are deleted with it as a \"Node\", and stay as a "
        + "\"Item\". Let it say so itself: extend interface Both @onDeleteField(name: \"notes\", cascade: …)"
    ),
    (
      "extend type Book @onDeleteField(name: \"author\")",
      "more.graphqls:1:18: warning: Argument \"@onDeleteField(cascade:)\" of type \"Boolean!\" is required, but it was "
        + "not provided."
    ),
  ]

  @Test("What is wrong is said once, with its place", arguments: mistakes)
  func mistake(_ mistake: (extensions: String, message: String)) {
    let schema = [Source(Self.library, name: "schema.graphqls"), Source(mistake.extensions, name: "more.graphqls")]
    let operations = [Source(Self.query, name: "Q.graphql")]
    let checked = Pipeline.check(schema: schema, operations: operations, configuration: ApolloCodegenConfiguration())
    var renderer = DiagnosticRenderer(.xcode, sources: SourceMap(schema + operations))
    let messages = renderer.render(checked.diagnostics).split(separator: "\n").map(String.init)
    #expect(messages.filter { !$0.contains(": note: ") } == [mistake.message])
  }
}
