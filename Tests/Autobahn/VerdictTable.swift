/// What the server says of a case.
struct Verdict: Decodable {
  let behavior: String?
  let behaviorClose: String?

  enum Class: Int, CaseIterable {
    case right, informational, nonStrict, failed
  }

  /// The worse of the two.
  var verdictClass: Class {
    [behavior, behaviorClose].map(Self.classify).max { $0.rawValue < $1.rawValue } ?? .failed
  }

  var text: String {
    let behavior = behavior ?? "NO VERDICT"
    return behaviorClose.map { $0 == "OK" || $0 == behavior ? behavior : "\(behavior) (close: \($0))" } ?? behavior
  }

  private static func classify(_ verdict: String?) -> Class {
    switch verdict {
    case "OK"?: .right
    case "INFORMATIONAL"?: .informational
    case "NON-STRICT"?: .nonStrict
    default: .failed
    }
  }
}

/// The verdicts, counted by the first number of the cases.
struct VerdictTable {
  private static let names = [
    "1": "framing", "2": "pings and pongs", "3": "reserved bits", "4": "opcodes", "5": "fragments", "6": "UTF-8",
    "7": "closing", "9": "limits", "10": "automatic fragments", "12": "compression", "13": "compression",
  ]

  private var sections: [String] = []
  private var counts: [String: [Int]] = [:]
  private var remarks: [String] = []

  var failures: Int { total[Verdict.Class.failed.rawValue] }

  private var total: [Int] {
    counts.values.reduce([0, 0, 0, 0]) { sum, counts in zip(sum, counts).map { $0 + $1 } }
  }

  mutating func add(_ verdict: Verdict, of identifier: String) {
    let section = String(identifier.prefix { $0 != "." })
    if counts[section] == nil { sections.append(section) }
    counts[section, default: [0, 0, 0, 0]][verdict.verdictClass.rawValue] += 1
    if verdict.verdictClass.rawValue > Verdict.Class.informational.rawValue {
      remarks.append("\(identifier): \(verdict.text)")
    }
  }

  var text: String {
    let rows = sections.map { row("\($0) \(Self.names[$0] ?? "")", counts[$0] ?? []) }
    let table = [header] + rows + [row("all \(total.reduce(0, +))", total)]
    return (table + (remarks.isEmpty ? [] : [""] + remarks)).joined(separator: "\n")
  }

  private var header: String {
    padded("cases", 24) + ["OK", "informational", "non-strict", "failed"].map { right($0) }.joined()
  }

  private func row(_ name: String, _ counts: [Int]) -> String {
    padded(name, 24) + counts.map { right("\($0)") }.joined()
  }

  private func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(width - text.count, 1))
  }

  private func right(_ text: String) -> String { String(repeating: " ", count: max(15 - text.count, 1)) + text }
}
