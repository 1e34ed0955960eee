import Foundation

/// A text, and the JSON that it is.
public struct JSONCase: Sendable, CustomStringConvertible {
  public let name: String
  public let text: [UInt8]
  /// The value as JSON without white space, numbers in their digits; nil if the text is to be refused.
  public let value: String?

  public init(_ name: String, _ text: some Collection<UInt8>, _ value: String?) {
    self.name = name
    self.text = Array(text)
    self.value = value
  }

  public var description: String { name }

  /// The cases that everything which reads JSON has to pass.
  public static let all = suite + surrogates + truncations + depths + members

  /// JSONTestSuite by Nicolas Seriot (its licence stands beside the file), which `scripts/json-cases.py` writes.
  public static let suite: [JSONCase] = {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("json-test-suite.tsv")
    guard let text = try? String(contentsOf: file, encoding: .utf8) else { return [] }
    return text.split(separator: "\n").map { line in
      let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      let text = Data(base64Encoded: columns[1]) ?? Data()
      return JSONCase(columns[0], text, columns[2].isEmpty ? nil : columns[2])
    }
  }()

  /// Each code unit at a boundary before each other one: the value is what the standard library decodes.
  static let surrogates: [JSONCase] = {
    let units: [UInt16] = [
      0x22, 0x41, 0x5c, 0xd7ff, 0xd800, 0xd801, 0xdbff, 0xdc00, 0xdc01, 0xdfff, 0xe000, 0xfffd, 0xffff,
    ]
    func escape(_ unit: UInt16) -> String {
      let digits = String(unit, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
    let pairs = units.flatMap { first in
      units.map { second in
        let text = "\"\(escape(first))\(escape(second))\""
        let value = String(decoding: [first, second], as: UTF16.self)
          .replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return JSONCase("pair " + text, text.utf8, "\"\(value)\"")
      }
    }
    let others = [
      (#""\ud800x""#, "\"\u{fffd}x\""), (#""\ud800\n""#, "\"\u{fffd}\\n\""), (#""\ud800\"""#, "\"\u{fffd}\\\"\""),
      (#""\ud800\\""#, "\"\u{fffd}\\\\\""), (#""\ud800\ud83d\ude00""#, "\"\u{fffd}😀\""),
      (#""\uD83D\uDE00""#, "\"😀\""), (#""\ud800\u12""#, nil), (#""\ud800\x""#, nil), (#""\ud800\"#, nil),
      (#""\u+123""#, nil), (#""\u 123""#, nil),
    ]
    return pairs + others.map { JSONCase($0.0, $0.0.utf8, $0.1) }
  }()

  /// A text that ends too early, at each of its bytes.
  static let truncations: [JSONCase] = {
    let text = Array(#"{"data": {"a": [1, -2.5e+3, true, null], "é\ud83d\ude00\n": "\u0041", "b": {"c": false}}}"#.utf8)
    return text.indices.map { JSONCase("cut off at \($0)", text[..<$0], nil) }
  }()

  static let depths: [JSONCase] = {
    func nested(_ depth: Int, _ begin: String, _ inner: String, _ end: String) -> String {
      String(repeating: begin, count: depth) + inner + String(repeating: end, count: depth)
    }
    let allowed = [1, 2, 63, 64, 65, 500].flatMap { depth in
      [nested(depth, "[", "", "]"), nested(depth, #"{"a":"#, "1", "}"), nested(depth / 2, #"[{"a":"#, "[]", "}]")]
    }
    let refused = [
      nested(100_000, "[", "", "]"), nested(100_000, #"{"a":"#, "1", "}"), nested(100_000, "[", "", ""),
      nested(50_000, #"[{"":"#, "", ""), nested(3, "[", "", "}"), nested(3, #"{"a":"#, "1", "]"),
      nested(3, "[", "", "]") + "]", "[[[]",
    ]
    return allowed.map { JSONCase("nested \($0.utf8.count)", $0.utf8, $0) }
      + refused.map { JSONCase("nested badly \($0.prefix(4)) \($0.utf8.count)", $0.utf8, nil) }
  }()

  /// Of members with one name the last counts, at the place of the first. Names differ if their bytes do.
  static let members: [JSONCase] = {
    let many = (0..<100).map { "\"k\($0)\":\($0)" }
    let repeated = many + ["\"k7\":\"last\""]
    return [
      (#"{"a":1,"b":2,"\u0061":3,"c":4,"b":{"b":5,"b":6}}"#, #"{"a":3,"b":{"b":6},"c":4}"#),
      ("{\(repeated.joined(separator: ","))}", "{\(many.joined(separator: ","))}".replacing(":7,", with: ":\"last\",")),
      ("{\"\u{e9}\":1}", "{\"\u{e9}\":1}"),
      ("{\"a\":1,\"\":2}", "{\"a\":1,\"\":2}"),
    ].map { JSONCase("members \($0.0.prefix(20))", $0.0.utf8, $0.1) }
  }()
}
