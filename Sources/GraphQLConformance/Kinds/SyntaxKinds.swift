import GraphQLSyntax

extension Kind {
  static let syntaxKinds: [Kind] = [
    Kind("parse") { record, _ in
      let source = Source(record.string("source") ?? "")
      var options = Parser.Options()
      let recorded = record["options"] as? [String: Any] ?? [:]
      options.maximumTokens = recorded["maxTokens"] as? Int
      let parsed = Parser.parse(source, options: options)
      return compare(record, parsed.diagnostics, source, printed: Printer.print(parsed.value)) {
        Parser.parse(Printer.print(parsed.value)).value == parsed.value
      }
    },
    Kind("parseValue") { record, _ in
      let source = Source(record.string("source") ?? "")
      let parsed = Parser.parseValue(source)
      return compare(record, parsed.diagnostics, source, printed: parsed.value.map { Printer.print($0) })
    },
    Kind("parseConstValue") { record, _ in
      let source = Source(record.string("source") ?? "")
      let parsed = Parser.parseConstValue(source)
      return compare(record, parsed.diagnostics, source, printed: parsed.value.map { Printer.print($0) })
    },
    Kind("parseType") { record, _ in
      let source = Source(record.string("source") ?? "")
      let parsed = Parser.parseType(source)
      return compare(record, parsed.diagnostics, source, printed: parsed.value.map { Printer.print($0) })
    },
    Kind("print") { record, _ in
      let source = Source(record.string("input") ?? "")
      let expected = record.string("output") ?? ""
      switch record.string("nodeKind") {
      case "Document":
        return .expect(Printer.print(Parser.parse(source).value), expected)
      case .some(let kind) where kind.hasSuffix("Value"):
        return .expect(Parser.parseValue(source).value.map { Printer.print($0) } ?? "no value", expected)
      case .some(let kind) where kind.hasSuffix("Type"):
        return .expect(Parser.parseType(source).value.map { Printer.print($0) } ?? "no type", expected)
      default:
        return .expect(Printer.print(Parser.parse(source).value), expected)
      }
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
    Kind("stripIgnoredCharacters") { record, _ in
      let source = Source(record.string("source") ?? "")
      let stripped = Printer.stripIgnoredCharacters(source)
      return compare(record, stripped.diagnostics, source, printed: stripped.value, key: "output")
    },
  ]

  /// Compares acceptance, then the text or the place of the error. Ours may find more errors behind the first.
  private static func compare(
    _ record: Record, _ diagnostics: [Diagnostic], _ source: Source, printed: String?, key: String = "printed",
    _ isStable: () -> Bool = { true }
  ) -> Outcome {
    if record.bool("ok") {
      guard diagnostics.isEmpty else { return .failed("rejected: \(diagnostics.map(\.message))") }
      guard let expected = record.string(key) else { return .passed }
      guard isStable() else { return .failed("reads differently when printed: \(printed ?? "")") }
      return .expect(printed ?? "nothing", expected)
    }
    let error = record["error"] as? [String: Any] ?? [:]
    guard !diagnostics.isEmpty else { return .failed("accepted, expected \(error["message"] ?? "")") }
    return RecordedErrors([error]).compare([diagnostics[0]], in: source)
  }
}
