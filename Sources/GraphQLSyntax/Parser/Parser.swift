/// Makes syntax trees of text, by recursive descent with one token of look-ahead.
///
/// Each production of the grammar is a method, in the file of its family. A production that finds an error reports it
/// and throws `SyntaxError`. `parseDocument()` then continues at the next definition, so one text can give several
/// errors.
public struct Parser {
  /// Limits for texts from unknown authors, and extensions of the language.
  public struct Options: Sendable {
    /// How deep selection sets, values and list types may be nested. The default, 256, keeps parsing, printing,
    /// comparing and validating within a stack of 512 KB, the smallest that threads have. In a build without
    /// optimization, whose stack frames are several times as large, it is 64. A greater depth needs a thread with a
    /// larger stack.
    public var maximumDepth = Self.defaultMaximumDepth
    /// How many tokens a text may have, without its comments; nil, the default, for no limit. For documents of unknown
    /// authors, see ``fromOutside``.
    public var maximumTokens: Int?
    /// How many comments a text may have; nil, the default, for no limit.
    public var maximumComments: Int?
    /// How many Unicode scalars a text may have, those of its comments included; nil, the default, for no limit. A
    /// longer text is refused before its first token is read.
    public var maximumLength: Int?
    /// Whether `fragment F($size: Int = 10) on User { … }` and `...F(size: 50)` are understood. They are a
    /// [proposal](https://github.com/graphql/graphql-spec/pull/1081) that is not in the specification yet. The default
    /// is true.
    public var allowsFragmentArguments = true
    /// Whether the braces of a selection set may be empty: `{ viewer {} }` asks whether there is a viewer. This is a
    /// [proposal](https://github.com/graphql/graphql-spec/pull/1227) that is not in the specification yet. The default
    /// is false.
    public var allowsEmptySelectionSets = false

    /// Makes options with all defaults.
    public init() {}

    /// Options for operations that others send, to a server for instance: at most 15,000 tokens.
    public static let fromOutside = {
      var options = Self()
      options.maximumTokens = 15_000
      return options
    }()

    /// The default of ``maximumDepth``.
    public static let defaultMaximumDepth = isOptimized ? 256 : 64

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

  /// Parses a whole document. If there are errors, the value has the definitions without errors.
  public static func parse(_ source: Source, options: Options = Options()) -> Parsed<Document> {
    run(on: source, options: options) { $0.parseDocument() }
  }

  /// Parses a document in a string.
  public static func parse(_ text: String, name: String = "GraphQL request") -> Parsed<Document> {
    parse(Source(text, name: name))
  }

  /// Parses a single value, such as `{ a: [1, $b] }`. The value is nil if there is an error.
  public static func parseValue(_ source: Source, options: Options = Options()) -> Parsed<Value?> {
    run(on: source, options: options) { parser in
      parser.whole { (parser) throws(SyntaxError) in try parser.parseValue(isConst: false) }
    }
  }

  /// Parses a single value in which variables are errors. The value is nil if there is an error.
  public static func parseConstValue(_ source: Source, options: Options = Options()) -> Parsed<Value?> {
    run(on: source, options: options) { parser in
      parser.whole { (parser) throws(SyntaxError) in try parser.parseValue(isConst: true) }
    }
  }

  /// Parses a single type reference, such as `[Int!]`. The value is nil if there is an error.
  public static func parseType(_ source: Source, options: Options = Options()) -> Parsed<TypeReference?> {
    run(on: source, options: options) { parser in
      parser.whole { (parser) throws(SyntaxError) in try parser.parseTypeReference() }
    }
  }

  let source: Source
  let sourceID: Source.ID
  let options: Options
  var lexer: Lexer
  var names = NameTable()
  var diagnostics: [Diagnostic] = []
  /// The current token, which has not been consumed yet.
  var token = Token(kind: .endOfFile, start: 0, end: 0)
  /// The offset at which the last consumed token ends.
  var previousEnd: UInt32 = 0
  var depth = 0
  var tokenCount = 0

  private static func run<Result>(
    on source: Source, options: Options, _ body: (inout Parser) -> Result
  ) -> Parsed<Result> {
    Lexer.run(on: source) { lexer in
      var lexer = lexer
      lexer.maximumComments = options.maximumComments ?? .max
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

  /// Parses one production, which must be the whole source.
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

  /// Reports errors that concern the whole source. False if it must not be lexed at all.
  mutating func checkSource() -> Bool {
    if source.count > Int(clamping: UInt32.max) - Source.padding {
      report(.sourceTooLarge, "\(source.name) is larger than 4 GB.", from: 0, to: 0)
      return false
    }
    if let maximum = options.maximumLength, let offset = source.offset(ofScalar: maximum) {
      let message = "Source contains more than \(maximum) code points. Parsing aborted."
      report(.sourceTooLarge, message, from: UInt32(offset), to: UInt32(offset))
      return false
    }
    if let offset = source.firstInvalidOffset {
      let start = UInt32(offset)
      report(.invalidEncoding, "Invalid UTF-8 byte sequence.", from: start, to: start + 1)
    }
    return true
  }
}
