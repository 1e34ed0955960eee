import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation

extension Kind {
  static let validationKinds: [Kind] = [
    Kind("validate") { record, corpus in
      guard let schema = record.string("schema").flatMap({ corpus.schema($0) }) else { return .failed("no schema") }
      let source = Source(record.string("document") ?? "")
      guard let rules = rules(record["rules"], among: Rule.specified + Rule.incrementalDelivery + Rule.optional) else {
        return .failed("no such rule: \(record["rules"] ?? "")")
      }
      var options = corpus.validatorOptions(of: record)
      options.rules = rules
      let parsed = Parser.parse(source, options: corpus.parserOptions)
      if parsed.hasErrors { return .failed("rejected: \(parsed.diagnostics.map(\.message))") }
      return compare(
        record, with: Validator.validate(parsed.value, against: schema, options: options).diagnostics, in: source,
        corpus)
    },
    Kind("validateSDL") { record, corpus in
      let source = Source(record.string("sdl") ?? "")
      guard let rules = rules(record["rules"], among: Rule.schemaDocument) else {
        return .failed("no such rule: \(record["rules"] ?? "")")
      }
      var options = SchemaValidator.Options()
      options.rules = rules
      options.typeSystemRules = []
      let document = Parser.parse(source).value
      let result =
        record.string("schemaToExtend").flatMap { corpus.schema($0) }.map {
          SchemaValidator.extend($0, with: [document], options: options)
        } ?? SchemaValidator.validate([document], options: options)
      return compare(record, with: result.diagnostics, in: source, corpus)
    },
    Kind("validateSchema") { record, corpus in
      // A schema that was built in code has no text that places could be compared in: only how many errors counts.
      if let text = record.string("sdl") {
        let source = Source(text)
        let schema = Schema.build(from: [source]).value
        return compare(record, with: SchemaValidator.check(schema), in: source, corpus)
      }
      guard let id = record.string("printed"), let text = corpus.schemaText(id), let schema = corpus.schema(id) else {
        return .failed("no schema")
      }
      // An empty schema prints as an empty text, which the parser does not accept.
      let problems = text.isEmpty ? [] : Parser.parse(text, name: id).diagnostics
      guard problems.isEmpty else { return .failed("the recorded schema is not text: \(problems.map(\.message))") }
      let expected = RecordedErrors(record["errors"] as? [[String: Any]] ?? []).messages.sorted()
      let actual = SchemaValidator.check(schema).map(\.fullMessage).sorted()
      if actual == expected { return .passed }
      let details = "expected \(expected)\nactual   \(actual)"
      return actual.count == expected.count ? .reworded(details) : .failed(details)
    },
  ]

  private static func compare(
    _ record: Record, with diagnostics: [Diagnostic], in source: Source, _ corpus: Corpus
  ) -> Outcome {
    guard let errors = record["errors"] as? [[String: Any]] else {
      return .failed("the reference implementation threw: \(record["errors"] ?? "")")
    }
    let isAborted = errors.map { $0["message"] as? String } == ["Validation aborted."]
    if isAborted, diagnostics.map(\.code) == [.nestingTooDeep] { return .reworded(diagnostics[0].message) }
    return RecordedErrors(errors).compare(diagnostics, in: source, corpus)
  }

  /// The rules with the recorded names, or `nil` when one of them is not ours.
  private static func rules(_ recorded: Any?, among known: [Rule]) -> [Rule]? {
    guard let names = recorded as? [String] else { return Rule.specified + Rule.incrementalDelivery }
    var rules: [Rule] = []
    for name in names {
      let base = ["CustomRule", "OnDirectivesRule", "Rule"].reduce(name) { name, suffix in
        name.hasSuffix(suffix) ? String(name.dropLast(suffix.count)) : name
      }
      guard let rule = known.first(where: { $0.name == base }) else { return nil }
      rules.append(rule)
    }
    return rules
  }
}
