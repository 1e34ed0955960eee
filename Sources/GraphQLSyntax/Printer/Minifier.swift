/// Leaves out everything that the grammar ignores
/// — [spec](https://spec.graphql.org/September2025/#sec-Language.Source-Text.Ignored-Tokens)
enum Minifier {
  static func strip(_ source: Source) -> Parsed<String> {
    Lexer.run(on: source) { lexer in
      var lexer = lexer
      var output: [UInt8] = []
      output.reserveCapacity(lexer.count)
      var isBehindWord = false
      while true {
        let token = lexer.next()
        if token.kind == .endOfFile { return Parsed(String(decoding: output, as: UTF8.self)) }
        if let failure = lexer.takeFailure() { return Parsed("", diagnostics: [failure.diagnostic(in: source)]) }
        let isWord = token.kind.punctuator == nil
        // `a...b` would read as a malformed number or name when `a` ends in one.
        if isBehindWord, isWord || token.kind == .spread { output.append(Ascii.space) }
        isBehindWord = isWord
        if token.kind == .blockString {
          let value = BlockString.decode(source.paddedBytes[Int(token.start) + 3..<Int(token.end) - 3])
          output.append(contentsOf: BlockString.print(value, isMinified: true).utf8)
        } else {
          output.append(contentsOf: lexer.bytes(of: token))
        }
      }
    }
  }
}
