extension JSONNode {
  /// Reads a JSON text in UTF-8 ([RFC 8259](https://www.rfc-editor.org/rfc/rfc8259)): a byte order mark may stand
  /// before the value, and only white space behind it.
  ///
  /// Of members with the same name the last one counts, at the place of the first. A surrogate without its pair is
  /// U+FFFD.
  ///
  /// - Parameters:
  ///   - text: The bytes of the text.
  ///   - maximumDepth: How many arrays and objects may stand in one another.
  /// - Throws: An error that says what is wrong at which line and column.
  public init(
    parsing text: some Collection<UInt8>, maximumDepth: Int = defaultMaximumDepth
  ) throws(JSONSyntaxError) {
    self = try JSONParser.parse(text, maximumDepth: maximumDepth).node
  }

  /// Reads a file that people write, in which a comma may stand before `}` or `]`.
  ///
  /// - Parameter text: The bytes of the text.
  /// - Returns: The value, the places of such commas, and the members in whose place a later one of their name counts.
  /// - Throws: An error that says what is wrong at which line and column.
  package static func parse(allowingTrailingCommas text: some Collection<UInt8>) throws(JSONSyntaxError) -> ParsedFile {
    try JSONParser.parse(text, maximumDepth: defaultMaximumDepth, allowsTrailingCommas: true)
  }

  /// A file that people write.
  package typealias ParsedFile = (node: JSONNode, trailingCommas: [Range<Int>], replacedMembers: [Members.Member])

  /// 512 levels.
  public static var defaultMaximumDepth: Int { 512 }
}

/// Makes values of tokens. What is open stands in an array and not on the stack, so that no text is nested too deeply
/// for a small stack.
private struct JSONParser {
  /// An array or object whose end is still to come.
  private struct Container {
    let start: Int
    let isObject: Bool
    var elements: [JSONNode] = []
    var members: [JSONNode.Members.Member] = []
    /// The index of each member by the bytes of its name, from the moment that there are many.
    private var indices: [[UInt8]: Int] = [:]
    /// The name of the member whose value is next.
    var name: (text: String, range: Range<Int>) = ("", 0..<0)

    init(start: Int, isObject: Bool) {
      self.start = start
      self.isObject = isObject
    }

    var end: JSONToken.Kind { isObject ? .endObject : .endArray }

    /// Sets the member that has the name that was read last.
    ///
    /// - Parameter value: The value of the member.
    /// - Returns: The member that had the name before; nil if there was none.
    mutating func setMember(_ value: JSONNode) -> JSONNode.Members.Member? {
      let member = JSONNode.Members.Member(name: name.text, nameRange: name.range, value: value)
      guard let index = index(of: name.text) else {
        members.append(member)
        return nil
      }
      defer { members[index] = member }
      return members[index]
    }

    /// Names are the same if their bytes are.
    private mutating func index(of name: String) -> Int? {
      guard members.count > 16 else { return members.firstIndex { $0.name.utf8.elementsEqual(name.utf8) } }
      for index in indices.count..<members.count { indices[Array(members[index].name.utf8)] = index }
      return indices[Array(name.utf8)]
    }
  }

  private var tokenizer: JSONTokenizer
  private let maximumDepth: Int
  private let allowsTrailingCommas: Bool
  private var open: [Container] = []
  private var trailingCommas: [Range<Int>] = []
  private var replacedMembers: [JSONNode.Members.Member] = []

  private init(_ text: [UInt8], maximumDepth: Int, allowsTrailingCommas: Bool) throws(JSONSyntaxError) {
    tokenizer = try JSONTokenizer(text)
    self.maximumDepth = maximumDepth
    self.allowsTrailingCommas = allowsTrailingCommas
  }

  static func parse(
    _ text: some Collection<UInt8>, maximumDepth: Int, allowsTrailingCommas: Bool = false
  ) throws(JSONSyntaxError) -> JSONNode.ParsedFile {
    var parser = try JSONParser(
      Array(text), maximumDepth: maximumDepth, allowsTrailingCommas: allowsTrailingCommas)
    return (try parser.document(), parser.trailingCommas, parser.replacedMembers)
  }

  // MARK: - Values

  private mutating func document() throws(JSONSyntaxError) -> JSONNode {
    var token = try tokenizer.next()
    while true {
      var complete = try begin(&token)
      while let node = complete {
        token = try tokenizer.next()
        guard !open.isEmpty else {
          guard token.kind == .end else { throw tokenizer.unexpected(token, "Expected the end of the text") }
          return node
        }
        add(node)
        complete = try end(&token)
      }
    }
  }

  /// Begins a value. Gives it if it is complete; otherwise the token begins the first value inside of it.
  private mutating func begin(_ token: inout JSONToken) throws(JSONSyntaxError) -> JSONNode? {
    switch token.kind {
    case .null: return JSONNode(.null, at: token.range)
    case .true: return JSONNode(.boolean(true), at: token.range)
    case .false: return JSONNode(.boolean(false), at: token.range)
    case .number: return JSONNode(.number(tokenizer.digits(of: token)), at: token.range)
    case .string: return JSONNode(.string(tokenizer.string(of: token)), at: token.range)
    case .beginArray, .beginObject: return try beginContainer(&token)
    default: throw tokenizer.unexpected(token, "Expected a JSON value")
    }
  }

  private mutating func beginContainer(_ token: inout JSONToken) throws(JSONSyntaxError) -> JSONNode? {
    guard open.count < maximumDepth else {
      throw tokenizer.failure("No more than \(maximumDepth) levels of nesting are read.", at: token)
    }
    let container = Container(start: token.range.lowerBound, isObject: token.kind == .beginObject)
    open.append(container)
    token = try tokenizer.next()
    if token.kind == container.end { return close(token) }
    if container.isObject { token = try name(token) }
    return nil
  }

  /// Reads the name of a member and the colon behind it. Gives the token that begins the member's value.
  private mutating func name(_ token: JSONToken) throws(JSONSyntaxError) -> JSONToken {
    guard token.kind == .string else { throw tokenizer.unexpected(token, "Expected the name of a member") }
    open[open.count - 1].name = (tokenizer.string(of: token), token.range)
    let colon = try tokenizer.next()
    guard colon.kind == .colon else { throw tokenizer.unexpected(colon, "Expected \":\"") }
    return try tokenizer.next()
  }

  /// Adds an element, or the value of a member, to what is open.
  private mutating func add(_ node: JSONNode) {
    let top = open.count - 1
    if open[top].isObject {
      if let replaced = open[top].setMember(node) { replacedMembers.append(replaced) }
    } else {
      open[top].elements.append(node)
    }
  }

  /// Passes what stands behind a value. Gives what is complete by it; otherwise the token begins the next value.
  private mutating func end(_ token: inout JSONToken) throws(JSONSyntaxError) -> JSONNode? {
    let isObject = open[open.count - 1].isObject, end = open[open.count - 1].end
    if token.kind == end { return close(token) }
    guard token.kind == .comma else {
      throw tokenizer.unexpected(token, "Expected \",\" or \"\(isObject ? "}" : "]")\"")
    }
    let comma = token
    token = try tokenizer.next()
    if allowsTrailingCommas, token.kind == end {
      trailingCommas.append(comma.range)
      return close(token)
    }
    if isObject { token = try name(token) }
    return nil
  }

  private mutating func close(_ token: JSONToken) -> JSONNode {
    let container = open.removeLast()
    return JSONNode(
      container.isObject ? .object(JSONNode.Members(container.members)) : .array(container.elements),
      at: container.start..<token.range.upperBound)
  }
}
