import GraphQLJSON
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation

extension Kind {
  static let schemaKinds: [Kind] = [
    Kind("buildSchema") { record, _ in checkBuild(record) },
    Kind("buildASTSchema") { record, _ in checkBuild(record) },
    Kind("extendSchema") { record, corpus in
      guard let schema = record.string("schema").flatMap({ corpus.schema($0) }) else { return .failed("no schema") }
      let parsed = Parser.parse(record.string("extension") ?? "")
      let result = SchemaValidator.extend(schema, with: [parsed.value], options: documentRulesOnly)
      guard record.bool("ok") else {
        return parsed.hasErrors || result.hasErrors ? .passed : .failed("accepted: \(record["error"] ?? "")")
      }
      guard let extended = result.value?.value else { return .failed("rejected: \(result.diagnostics.map(\.message))") }
      return .expect(SchemaPrinter.print(extended, style: corpus.printStyle), record.string("result") ?? "")
    },
    Kind("printSchema") { record, corpus in
      // Of a schema that was built in code, only the output is recorded: reading and printing must not change it.
      let output = record.string("output") ?? ""
      let schema = Schema.build(from: [Source(record.string("sdl") ?? output)]).value
      return .expect(SchemaPrinter.print(schema, style: corpus.printStyle), output)
    },
    Kind("printIntrospectionSchema") { record, corpus in
      .expect(SchemaPrinter.printIntrospection(style: corpus.printStyle), record.string("output") ?? "")
    },
    Kind("lexicographicSortSchema") { record, corpus in
      let schema = Schema.build(from: [Source(record.string("sdl") ?? "")]).value.sortedByName()
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
      let schema = Schema.build(from: [Source(record.string("sdl") ?? "")]).value
      var recorded = record.node["introspection"] ?? .null
      var actual = schema.introspection(style: corpus.printStyle)
      if corpus.hasOlderBuiltIns {
        recorded = recorded.withoutBuiltIns
        actual = actual.withoutBuiltIns
      }
      return .expect(actual.restricted(to: recorded).sorted.indentedText, recorded.sorted.indentedText)
    },
    Kind("getIntrospectionQuery") { record, _ in
      let options = record["options"] as? [String: Any] ?? [:]
      var query = IntrospectionQuery()
      query.descriptions = options["descriptions"] as? Bool ?? true
      query.specifiedByURL = options["specifiedByUrl"] as? Bool ?? false
      query.directiveIsRepeatable = options["directiveIsRepeatable"] as? Bool ?? false
      query.schemaDescription = options["schemaDescription"] as? Bool ?? false
      query.inputValueDeprecation = options["inputValueDeprecation"] as? Bool ?? false
      query.oneOf = options["oneOf"] as? Bool ?? false
      let expected = Parser.parse(record.string("output") ?? "").value
      return .expect(Printer.print(Parser.parse(query.text).value), Printer.print(expected))
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
  private static var documentRulesOnly: SchemaValidator.Options {
    var options = SchemaValidator.Options()
    options.typeSystemRules = []
    return options
  }

  private static func checkBuild(_ record: Record) -> Outcome {
    let result = SchemaValidator.validate([Source(record.string("sdl") ?? "")], options: documentRulesOnly)
    if record.bool("ok") == !result.hasErrors { return .passed }
    return .failed("ok: \(record.bool("ok")) \(record["error"] ?? "")\nactual: \(result.diagnostics.map(\.message))")
  }
}
