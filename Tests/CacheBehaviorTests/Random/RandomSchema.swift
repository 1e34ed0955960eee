/// A schema with everything that matters to a cache: keys of types, keys that interfaces give,
/// objects without a key, unions, nested lists, and arguments of every kind.
struct RandomSchema {
  private var random: Random
  private var text = ""

  static func text(seed: UInt64) -> String {
    var schema = RandomSchema(random: Random(seed))
    schema.write()
    return schema.text
  }

  private let keyed = (0..<4).map { "Keyed\($0)" }
  private let plain = (0..<3).map { "Plain\($0)" }

  private var composites: [String] { keyed + plain + ["Node", "Shape", "Any"] }

  private mutating func write() {
    text += "enum Color { RED GREEN BLUE }\n"
    text += "input Range { from: Int = 1, to: Int, inner: Range, colors: [Color!] }\n"
    // All its types have the same key, of one field or of several.
    let hasParts = random.one(in: 2)
    let node = "id: ID! \(hasParts ? "part: String! " : "")label: String next: Node"
    text += "interface Node @typePolicy(keyFields: \"\(hasParts ? "part id" : "id")\") { \(node) }\n"
    let shapeField = field("size", of: leaf())
    text += "interface Shape { \(shapeField) same: [Shape] }\n"
    text += "union Any = " + (keyed + plain).filter { _ in random.one(in: 2) }.joined(separator: " | ")
    if text.hasSuffix("= ") { text += "Plain0" }
    text += "\n"
    for (index, name) in keyed.enumerated() {
      let isNode = index < 2
      let others = random.element(of: ["code", "code number", "number code text"])
      let policy = isNode ? "" : " @typePolicy(keyFields: \"\(others)\")"
      let keys = isNode ? node : "code: String! number: Int! text: String!"
      let shape = random.one(in: 2)
      let interfaces = [isNode ? "Node" : nil, shape ? "Shape" : nil].compactMap(\.self).joined(separator: " & ")
      text += "type \(name)\(interfaces.isEmpty ? "" : " implements " + interfaces)\(policy) { \(keys) "
      text += (shape ? "\(shapeField) same: [Shape] " : "") + fields() + " }\n"
    }
    for name in plain {
      let shape = random.one(in: 2)
      text += "type \(name)\(shape ? " implements Shape" : "") { "
      text += (shape ? "\(shapeField) same: [Shape] " : "") + fields() + " }\n"
    }
    text += "type Query { " + fields() + " \(keyed.map { "\($0.lowercased()): \($0)" }.joined(separator: " ")) }\n"
  }

  private mutating func fields() -> String {
    (0..<(3 + random.below(5))).map { index in
      var random = random
      defer { self.random = random }
      let type = random.one(in: 2) ? leaf() : random.element(of: composites)
      // A name means one thing in all types, most of the time: so selections on several types go together.
      return field(random.one(in: 4) ? "special\(index)" : "f\(index)\(type)", of: type)
    }.joined(separator: " ")
  }

  private mutating func leaf() -> String { random.element(of: ["Int", "Float", "String", "Boolean", "ID", "Color"]) }

  private mutating func field(_ name: String, of type: String) -> String {
    var type = type
    for _ in 0..<(random.one(in: 3) ? 1 + random.below(2) : 0) { type = "[\(type)\(random.one(in: 2) ? "!" : "")]" }
    if random.one(in: 3) { type += "!" }
    let arguments = random.one(in: 3) ? "(\(arguments()))" : ""
    return "\(name)\(arguments): \(type)"
  }

  private mutating func arguments() -> String {
    ["first: Int = 3", "text: String", "color: Color", "range: Range", "ids: [ID!]", "ratio: Float"]
      .filter { _ in random.one(in: 3) }.joined(separator: ", ")
      + (random.one(in: 2) ? " flag: Boolean" : " count: Int")
  }
}
