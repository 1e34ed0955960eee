import GraphQLJSON
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation

extension Kind {
  static let schemaKinds: [Kind] = [
    Kind("buildSchema") { record, corpus in checkBuild(record, corpus) },
    Kind("buildASTSchema") { record, corpus in checkBuild(record, corpus) },
    Kind("extendSchema") { record, corpus in
      guard let schema = record.string("schema").flatMap({ corpus.schema($0) }) else { return .failed("no schema") }
      let parsed = Parser.parse(record.string("extension") ?? "")
      let result = SchemaValidator.extend(schema, with: [parsed.value], options: options(of: record))
      guard record.bool("ok") else {
        return parsed.hasErrors || result.hasErrors ? .passed : .failed("accepted: \(record["error"] ?? "")")
      }
      guard let extended = result.value?.value else { return .failed("rejected: \(result.diagnostics.map(\.message))") }
      return .expect(SchemaPrinter.print(extended, style: corpus.printStyle), record.string("result") ?? "")
    },
    Kind("printSchema") { record, corpus in
      // Of a schema that was built in code, only the output is recorded: reading and printing must not change it.
      let output = record.string("output") ?? ""
      let schema = corpus.buildSchema(record.string("sdl") ?? output)
      return .expect(SchemaPrinter.print(schema, style: corpus.printStyle), output)
    },
    Kind("printIntrospectionSchema") { record, corpus in
      .expect(
        SchemaPrinter.printIntrospection(of: corpus.edition, style: corpus.printStyle), record.string("output") ?? "")
    },
    Kind("lexicographicSortSchema") { record, corpus in
      let schema = corpus.buildSchema(record.string("sdl") ?? "").sortedByName()
      return .expect(SchemaPrinter.print(schema, style: corpus.printStyle), record.string("output") ?? "")
    },
    Kind("buildClientSchema") { record, corpus in
      let result = Schema.build(fromIntrospection: record.node["introspection"] ?? .null)
      guard record.bool("ok") else {
        return result.hasErrors ? .passed : .failed("accepted: \(record["error"] ?? "")")
      }
      guard let schema = result.value else { return .failed("rejected: \(result.diagnostics.map(\.message))") }
      return .expect(SchemaPrinter.print(schema, style: corpus.printStyle), record.string("printed") ?? "")
    },
    Kind("introspectionFromSchema") { record, corpus in
      let schema = corpus.buildSchema(record.string("sdl") ?? "")
      var query = IntrospectionQuery.full
      query.directiveDeprecation = corpus.edition == .draft
      query.set(record.options)
      var recorded = record.node["introspection"] ?? .null
      var actual = schema.introspection(answering: query, style: corpus.printStyle)
      if corpus.hasOlderBuiltIns {
        recorded = recorded.withoutBuiltIns
        actual = actual.withoutBuiltIns
      }
      if corpus.edition == .draft { return .expect(actual.indentedText, recorded.indentedText) }
      return .expect(actual.sorted.indentedText, recorded.sorted.indentedText)
    },
    Kind("getIntrospectionQuery") { record, corpus in
      var query = IntrospectionQuery()
      query.set(record.options)
      let expected = record.string("output") ?? ""
      // Older releases indent the text, and have the fields of wrapped types in another order.
      guard corpus.edition == .draft else {
        return .expect(sortedLines(query.text), sortedLines(expected))
      }
      return .expect(query.text, expected)
    },
    Kind("separateOperations") { record, corpus in
      let separated = Parser.parse(record.string("source") ?? "").value.separatedByOperation()
      let actual = Dictionary(
        separated.map { ($0.operation.name?.value ?? "", Printer.print($0.document, style: corpus.printStyle)) }
      ) { first, _ in first }
      let expected = record["output"] as? [String: String] ?? [:]
      return actual == expected ? .passed : .failed("expected \(expected)\nactual \(actual)")
    },
  ]

  /// The reference implementation checks the type system as a whole later, when the schema is first used.
  private static func options(of record: Record) -> SchemaValidator.Options {
    let isUnchecked = ["assumeValid", "assumeValidSdl", "assumeValidSDL"].contains {
      record.options[$0] as? Bool ?? false
    }
    var options = SchemaValidator.Options()
    options.typeSystemRules = []
    if isUnchecked { options.rules = [.knownTypeNames] }
    return options
  }

  private static func sortedLines(_ text: String) -> String {
    text.split(separator: "\n").map { $0.filter { $0 != " " } }.filter { !$0.isEmpty }.sorted().joined(separator: "\n")
  }

  private static func checkBuild(_ record: Record, _ corpus: Corpus) -> Outcome {
    let parsed = Parser.parse(Source(record.string("sdl") ?? ""), options: corpus.parserOptions(of: record))
    let result = SchemaValidator.validate([parsed.value], options: options(of: record))
    let diagnostics = parsed.diagnostics + result.diagnostics
    if record.bool("ok") == !diagnostics.hasErrors { return .passed }
    return .failed("ok: \(record.bool("ok")) \(record["error"] ?? "")\nactual: \(diagnostics.map(\.message))")
  }
}

extension IntrospectionQuery {
  /// Takes over the options of a recorded call.
  fileprivate mutating func set(_ options: [String: Any]) {
    func set(_ member: WritableKeyPath<IntrospectionQuery, Bool>, _ name: String) {
      if let value = options[name] as? Bool { self[keyPath: member] = value }
    }
    set(\.descriptions, "descriptions")
    set(\.specifiedByURL, "specifiedByUrl")
    set(\.directiveIsRepeatable, "directiveIsRepeatable")
    set(\.schemaDescription, "schemaDescription")
    set(\.inputValueDeprecation, "inputValueDeprecation")
    set(\.directiveDeprecation, "experimentalDirectiveDeprecation")
    set(\.oneOf, "oneOf")
    if let depth = options["typeDepth"] as? Int { typeDepth = depth }
  }
}
