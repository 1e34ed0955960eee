import GraphQLExecution
import GraphQLSyntax

extension Kind {
  static let syntaxKinds: [Kind] = [
    Kind("parse") { record, corpus in
      let source = Source(record.string("source") ?? "")
      let options = corpus.parserOptions(of: record)
      let parsed = Parser.parse(source, options: options)
      let printed = Printer.print(parsed.value, style: corpus.printStyle)
      // What is printed may be longer than what was read.
      var limitless = options
      limitless.maximumLength = nil
      if record.bool("ok"), Parser.parse(Source(printed), options: limitless).value != parsed.value {
        return .failed("reads differently when printed: \(printed)")
      }
      return compare(
        record, with: parsed.diagnostics, in: source, corpus, printed: printed,
        tree: { $0.tree(parsed.value) })
    },
    Kind("parseValue") { record, corpus in
      let source = Source(record.string("source") ?? "")
      let parsed = Parser.parseValue(source, options: corpus.parserOptions(of: record))
      return compare(
        record, with: parsed.diagnostics, in: source, corpus,
        printed: parsed.value.map { Printer.print($0, style: corpus.printStyle) },
        tree: { tree in parsed.value.map { tree.tree($0) } })
    },
    Kind("parseConstValue") { record, corpus in
      let source = Source(record.string("source") ?? "")
      let parsed = Parser.parseConstValue(source, options: corpus.parserOptions(of: record))
      return compare(
        record, with: parsed.diagnostics, in: source, corpus,
        printed: parsed.value.map { Printer.print($0, style: corpus.printStyle) },
        tree: { tree in parsed.value.map { tree.tree($0) } })
    },
    Kind("parseType") { record, corpus in
      let source = Source(record.string("source") ?? "")
      let parsed = Parser.parseType(source, options: corpus.parserOptions(of: record))
      return compare(
        record, with: parsed.diagnostics, in: source, corpus, printed: parsed.value?.description,
        tree: { tree in parsed.value.map { tree.tree($0) } })
    },
    Kind("parseSchemaCoordinate") { record, corpus in
      let source = Source(record.string("source") ?? "")
      let parsed = SchemaCoordinate.parse(source)
      return compare(record, with: parsed.diagnostics, in: source, corpus, printed: parsed.value?.description)
    },
    Kind("print") { record, corpus in
      // Of a node that was built in code, only the output is recorded: reading and printing must not change it.
      let output = record.string("output") ?? ""
      return printNode(
        record.string("nodeKind") ?? "", from: record.string("input") ?? output, expecting: output,
        style: corpus.printStyle, options: corpus.parserOptions)
    },
    Kind("printBlockString") { record, _ in
      let options = record["options"] as? [String: Any] ?? [:]
      let text = BlockString.print(record.string("value") ?? "", isMinified: options["minimize"] as? Bool ?? false)
      return .expect(text, record.string("output") ?? "")
    },
    Kind("dedentBlockStringLines") { record, _ in
      let lines = BlockString.dedent(record["lines"] as? [String] ?? [])
      return .expect("\(lines)", "\(record["output"] as? [String] ?? [])")
    },
    Kind("printString") { record, _ in
      .expect(Printer.quote(record.string("value") ?? ""), record.string("output") ?? "")
    },
    Kind("stripIgnoredCharacters") { record, corpus in
      let source = Source(record.string("source") ?? "")
      let stripped = Printer.stripIgnoredCharacters(source)
      return compare(record, with: stripped.diagnostics, in: source, corpus, printed: stripped.value, key: "output")
    },
  ]

  private static func printNode(
    _ kind: String, from input: String, expecting output: String, style: Printer.Style, options: Parser.Options
  ) -> Outcome {
    let wrap = { (keyword: String) -> Outcome in
      let text = { (member: String) in
        "\(keyword) Wrapper {\n  \(member.split(separator: "\n").joined(separator: "\n  "))\n}"
      }
      return .expect(Printer.print(Parser.parse(text(input)).value, style: style), text(output))
    }
    switch kind {
    case "FieldDefinition": return wrap("type")
    case "InputValueDefinition": return wrap("input")
    case "EnumValueDefinition": return wrap("enum")
    case "Field":
      let document = Parser.parse(Source("{ \(input) }"), options: options).value
      return .expect(
        Printer.print(document, style: style), "{\n  \(output.split(separator: "\n").joined(separator: "\n  "))\n}")
    case _ where kind.hasSuffix("Value") || kind == "Variable":
      return .expect(
        Parser.parseValue(Source(input), options: options).value.map { Printer.print($0, style: style) } ?? "no value",
        output)
    case _ where kind.hasSuffix("Coordinate"):
      return .expect(SchemaCoordinate(input)?.description ?? "no coordinate", output)
    case "Name", "NamedType", "ListType", "NonNullType":
      return .expect(Parser.parseType(Source(input)).value?.description ?? "no type", output)
    default:
      return .expect(Printer.print(Parser.parse(Source(input), options: options).value, style: style), output)
    }
  }

  /// Compares whether a text is accepted; then the printed text and the tree, or the location of the first error. This
  /// parser may report further errors.
  private static func compare(
    _ record: Record, with diagnostics: [Diagnostic], in source: Source, _ corpus: Corpus, printed: String?,
    key: String = "printed",
    tree: (RecordedTree) -> GraphQLValue? = { _ in nil }
  ) -> Outcome {
    if record.bool("ok") {
      guard diagnostics.isEmpty else { return .failed("rejected: \(diagnostics.map(\.message))") }
      if let recorded = record.value["ast"], !recorded.isNull,
        let tree = tree(RecordedTree(source, countsUTF16: corpus.countsUTF16))
      {
        let outcome = RecordedTree.compare(tree, recorded)
        if case .failed = outcome { return outcome }
      }
      guard let expected = record.string(key) else { return .passed }
      return .expect(printed ?? "nothing", expected)
    }
    let error = record["error"] as? [String: Any] ?? [:]
    guard !diagnostics.isEmpty else { return .failed("accepted, expected \(error["message"] ?? "")") }
    return RecordedErrors([error]).compare([diagnostics[0]], in: source, corpus)
  }
}
