/// Makes syntax trees out of text, by recursive descent with one token of look-ahead.
///
/// Each production of the grammar is a method, in the file of its family. A production that meets an error reports it
/// and throws ``SyntaxError``; ``parseDocument()`` goes on at the next definition, so that one text yields many errors.
public struct Parser {
  /// Limits that keep hostile texts harmless.
  public struct Options: Sendable {
    /// How deep selection sets, values and list types may nest in one another, so that a document can be read, printed,
    /// compared and validated within a stack of 512 KB, the smallest that threads have: 256, or 64 in a build without
    /// optimization, whose stack frames are several times as large. More needs a thread with a larger stack.
    public var maximumDepth = Self.isOptimized ? 256 : 64
    /// How many tokens a text may have. `nil` means any number.
    public var maximumTokens: Int?
    /// Reads `fragment F($size: Int = 10) on User { … }` and `...F(size: 50)`, a proposal that the specification does
    /// not have yet.
    public var allowsFragmentArguments = false

    public init() {}

    private static let isOptimized = {
      var result = true
      assert(
        {
          result = false
          return true
        }())
      return result
    }()
  }

  /// Reads a whole document. When there are errors, the value holds the definitions that have none.
  public static func parse(_ source: Source, options: Options = Options()) -> Parsed<Document> {
    run(source, options) { $0.parseDocument() }
  }

  /// Reads a document from a string.
  public static func parse(_ text: String, name: String = "GraphQL request") -> Parsed<Document> {
    parse(Source(text, name: name))
  }

  /// Reads a single value, such as `{ a: [1, $b] }`. The value is `nil` when there is an error.
  public static func parseValue(_ source: Source, options: Options = Options()) -> Parsed<Value?> {
    run(source, options) { parser in
      parser.whole { (parser) throws(SyntaxError) in try parser.parseValue(isConst: false) }
    }
  }

  /// Reads a single value in which variables are errors. The value is `nil` when there is an error.
  public static func parseConstValue(_ source: Source, options: Options = Options()) -> Parsed<Value?> {
    run(source, options) { parser in
      parser.whole { (parser) throws(SyntaxError) in try parser.parseValue(isConst: true) }
    }
  }

  /// Reads a single type reference, such as `[Int!]`. The value is `nil` when there is an error.
  public static func parseType(_ source: Source, options: Options = Options()) -> Parsed<TypeReference?> {
    run(source, options) { parser in parser.whole { (parser) throws(SyntaxError) in try parser.parseTypeReference() } }
  }

  let source: Source
  let sourceID: Source.ID
  let options: Options
  var lexer: Lexer
  var names = NameTable()
  var diagnostics: [Diagnostic] = []
  /// The token to be looked at, not yet consumed.
  var token = Token(kind: .endOfFile, start: 0, end: 0)
  /// Where the last consumed token ends.
  var previousEnd: UInt32 = 0
  var depth = 0
  var tokenCount = 0

  private static func run<Result>(
    _ source: Source, _ options: Options, _ body: (inout Parser) -> Result
  ) -> Parsed<Result> {
    Lexer.run(on: source) { lexer in
      var parser = Parser(source: source, options: options, lexer: lexer)
      let result = body(&parser)
      return Parsed(result, diagnostics: parser.diagnostics)
    }
  }

  private init(source: Source, options: Options, lexer: Lexer) {
    self.source = source
    self.sourceID = source.id
    self.options = options
    self.lexer = lexer
  }

  /// Reads one production that must be all of the source.
  private mutating func whole<Node>(_ production: (inout Parser) throws(SyntaxError) -> Node) -> Node? {
    guard checkSource() else { return nil }
    do throws(SyntaxError) {
      try advance()
      let node = try production(&self)
      try expect(.endOfFile)
      return diagnostics.hasErrors ? nil : node
    } catch {
      return nil
    }
  }

  /// Reports what makes the source unreadable as a whole. False when it should not be lexed at all.
  mutating func checkSource() -> Bool {
    if source.count > Int(UInt32.max) - Source.padding {
      report(.sourceTooLarge, "\(source.name) is larger than 4 GB.", from: 0, to: 0)
      return false
    }
    if let offset = source.firstInvalidOffset {
      let start = UInt32(offset)
      report(.invalidEncoding, "Invalid UTF-8 byte sequence.", from: start, to: start + 1)
    }
    return true
  }
}
