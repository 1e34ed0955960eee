/// The tokens of generated Swift, by the rules of Swift's lexer for strings and comments, scalar by scalar.
///
/// It knows what the generator writes and nothing more, so that anything else is an error.
struct SwiftTokens {
  enum Token: Hashable {
    /// A name, a number, or one other scalar.
    case code(String)
    /// A string literal, as the text that it means.
    case string(String)
  }

  struct Failure: Error {
    var problem: String
    var line: Int
  }

  private var rest: ArraySlice<Unicode.Scalar>
  private var line = 1
  private var tokens: [Token] = []

  static func read(_ text: String) throws -> [Token] {
    var lexer = SwiftTokens(rest: Array(text.unicodeScalars)[...])
    try lexer.run()
    return lexer.tokens
  }

  private init(rest: ArraySlice<Unicode.Scalar>) { self.rest = rest }

  private mutating func run() throws {
    while let scalar = rest.first {
      switch scalar {
      case "\n": line += 1; rest.removeFirst()
      case " ": rest.removeFirst()
      case "/" where rest.starts(with: "//".unicodeScalars): rest = rest.drop { $0 != "\n" && $0 != "\r" }
      case "\"" where rest.starts(with: "\"\"\"".unicodeScalars): try multilineString()
      case "\"": try string()
      case "#" where rest.dropFirst().first.map { $0 == "#" || $0 == "\"" } == true: throw failure("A raw literal")
      case _ where Self.isPartOfName(scalar):
        let name = rest.prefix(while: Self.isPartOfName)
        tokens.append(.code(String(String.UnicodeScalarView(name))))
        rest = rest.dropFirst(name.count)
      case "!"..."~":
        tokens.append(.code(String(scalar)))
        rest.removeFirst()
      default: throw failure("U+\(String(scalar.value, radix: 16)) in code")
      }
    }
  }

  private static func isPartOfName(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
  }

  private mutating func string() throws {
    rest.removeFirst()
    var text = String.UnicodeScalarView()
    while let scalar = rest.popFirst(), scalar != "\"" {
      if scalar == "\n" || scalar == "\r" { throw failure("A line break in a string") }
      text.append(scalar == "\\" ? try escape() : scalar)
    }
    tokens.append(.string(String(text)))
  }

  /// What a backslash means, which has been read.
  private mutating func escape() throws -> Unicode.Scalar {
    switch rest.popFirst() {
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "0": return "\0"
    case "\\": return "\\"
    case "\"": return "\""
    case "u":
      guard rest.popFirst() == "{" else { throw failure("An escape") }
      let digits = String(String.UnicodeScalarView(rest.prefix { $0 != "}" }))
      rest = rest.dropFirst(digits.unicodeScalars.count + 1)
      // (The compiler refuses these.)
      guard let value = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(value), !(0xFDD0...0xFDEF ~= value)
      else {
        throw failure("An escape")
      }
      return scalar
    case let other: throw failure("An escape or an interpolation: \(other.map { String($0) } ?? "the end")")
    }
  }

  private mutating func multilineString() throws {
    rest = rest.dropFirst(3)
    guard rest.popFirst() == "\n" else { throw failure("A long string that begins in its first line") }
    line += 1
    // What is before the quotation marks at the end is the indentation of all lines.
    var lines: [String.UnicodeScalarView] = [.init()], isContinued = [false]
    while !rest.starts(with: "\"\"\"".unicodeScalars) {
      guard let scalar = rest.popFirst() else { throw failure("A long string without an end") }
      switch scalar {
      case "\n":
        line += 1
        lines.append(.init())
        isContinued.append(false)
      case "\\" where rest.first == "\n": isContinued[isContinued.count - 1] = true
      case "\\": lines[lines.count - 1].append(try escape())
      default: lines[lines.count - 1].append(scalar)
      }
    }
    rest = rest.dropFirst(3)
    let indentation = lines.removeLast()
    guard indentation.allSatisfy({ $0 == " " }) else { throw failure("The end of a long string") }
    var text = String.UnicodeScalarView()
    for (index, content) in lines.enumerated() {
      guard content.starts(with: indentation) else { throw failure("Indentation") }
      text.append(contentsOf: content.dropFirst(indentation.count))
      if index < lines.count - 1, !isContinued[index] { text.append("\n") }
    }
    tokens.append(.string(String(text)))
  }

  private func failure(_ problem: String) -> Failure { Failure(problem: problem, line: line) }
}
