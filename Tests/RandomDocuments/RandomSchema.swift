/// A schema with everything that matters to generated code and to a cache: keys of types, keys that interfaces give,
/// interfaces of interfaces, objects without a key, unions, nested lists, and arguments of every kind.
public struct RandomSchema {
  /// Types have plain names, or such as mean something else in Swift. Then texts mean something there as well.
  public enum Names: Sendable {
    case plain, hostile
  }

  private var random: Random
  /// Draws texts, so that these do not change what else is drawn.
  private var textRandom: Random
  private let names: Names
  private var text = ""
  private var typeNames: [String: String] = [:]
  private var fieldNames: [String: String] = [:]
  private var takenFields: Set<String> = []

  /// The schema definition language.
  public static func text(seed: UInt64, names: Names = .plain) -> String {
    var schema = RandomSchema(random: Random(seed), names: names)
    schema.nameTypes()
    schema.write()
    return schema.text
  }

  /// What a server has that the schema of the app does not know yet: a value of an enum, and a type in unions and
  /// interfaces.
  public static func laterText(seed: UInt64, names: Names = .plain) -> String {
    var schema = RandomSchema(random: Random(seed), names: names)
    schema.nameTypes()
    schema.write()
    let type = { schema.typeName($0) }
    return """
      extend enum \(type("Color")) { NEWER }
      type Newcomer implements \(type("Shape")) { \(schema.shapeFields) }
      extend union \(type("Any")) = Newcomer

      """
  }

  private init(random: Random, names: Names) {
    self.random = random
    textRandom = random
    self.names = names
  }

  // MARK: Names

  private mutating func nameTypes() {
    guard names == .hostile else { return }
    var pool = HostileNames.types
    for name in Self.keyed + Self.plain + ["Node", "Shape", "Deep", "Any", "Color", "Range", "Choice", "Stamp"] {
      guard !random.one(in: 4) else { continue }
      typeNames[name] = pool.remove(at: random.below(pool.count))
    }
  }

  private func typeName(_ name: String) -> String { typeNames[name] ?? name }

  /// A name means one thing in all types, so that selections on several types go together.
  private mutating func fieldName(_ name: String) -> String {
    if let known = fieldNames[name] { return known }
    var chosen = name
    if names == .hostile, !random.one(in: 4) {
      let candidate = random.element(of: HostileNames.fields)
      if takenFields.insert(candidate).inserted { chosen = candidate }
    }
    fieldNames[name] = chosen
    return chosen
  }

  // MARK: Types

  private static let keyed = (0..<4).map { "Keyed\($0)" }
  private static let plain = (0..<3).map { "Plain\($0)" }
  private static let composites = keyed + plain + ["Node", "Shape", "Deep", "Any"]

  private var shapeFields = ""

  private mutating func write() {
    let type = typeName
    let hostile = names == .hostile
    let values = ["RED", "GREEN", "BLUE"] + (hostile ? HostileNames.enumValues.filter { _ in random.one(in: 3) } : [])
    text += "enum \(type("Color")) { \(values.joined(separator: " ")) }\n"
    let range = type("Range"), color = type("Color")
    text += "input \(range) { from: Int = 1, to: Int, inner: \(range), colors: [\(color)!], grid: [[Int]] }\n"
    if hostile { text += "input \(type("Choice")) @oneOf { self: Int, default: String, in: [\(range)!] }\n" }
    text += "scalar \(type("Stamp"))\n"
    // All its types have the same key, of one field or of several.
    let hasParts = random.one(in: 2)
    let node =
      "id: ID! \(hasParts ? "part: String! " : "")\(fieldName("label")): String \(fieldName("next")): \(type("Node"))"
    text += "interface \(type("Node")) @typePolicy(keyFields: \"\(hasParts ? "part id" : "id")\") { \(node) }\n"
    shapeFields = "\(field("size", of: leaf())) \(fieldName("same")): [\(type("Shape"))]"
    text += "interface \(type("Shape")) { \(shapeFields) }\n"
    text +=
      "interface \(type("Deep")) implements \(type("Node")) & \(type("Shape")) { \(node) \(shapeFields) \(fieldName("depth")): Int }\n"
    var members = (Self.keyed + Self.plain).filter { _ in random.one(in: 2) }
    if members.isEmpty { members = ["Plain0"] }
    text += "union \(type("Any")) = \(members.map(type).joined(separator: " | "))\n"
    for (index, name) in Self.keyed.enumerated() { write(name, isNode: index < 2, node: node) }
    for name in Self.plain {
      let shape = random.one(in: 2)
      text += "type \(type(name))\(shape ? " implements " + type("Shape") : "") { "
      text += (shape ? shapeFields + " " : "") + fields() + " }\n"
    }
    let found = Self.keyed.map { "\($0.lowercased()): \(type($0))" }.joined(separator: " ")
    text += "type Query { \(fields()) \(found) anything: [\(type("Any"))] shapes: \(type("Shape")) }\n"
    text += "type Mutation { \(fields()) }\ntype Subscription { \(fields()) }\n"
  }

  private mutating func write(_ name: String, isNode: Bool, node: String) {
    let others = random.element(of: ["code", "code number", "number code text"])
    let policy = isNode ? "" : " @typePolicy(keyFields: \"\(others)\")"
    var fields = [isNode ? node : "code: String! number: Int! text: String!"]
    var interfaces = isNode ? ["Node"] : []
    // Each interface has at least one type.
    let isFirst = name == "Keyed0"
    if isFirst || random.one(in: 2) {
      interfaces.append("Shape")
      fields.append(shapeFields)
      if isFirst || isNode && random.one(in: 2) {
        interfaces.append("Deep")
        fields.append("\(fieldName("depth")): Int")
      }
    }
    fields.append(self.fields())
    let implements = interfaces.isEmpty ? "" : " implements " + interfaces.map(typeName).joined(separator: " & ")
    text += "type \(typeName(name))\(implements)\(policy) { \(fields.joined(separator: " ")) }\n"
  }

  private mutating func fields() -> String {
    var fields: [String] = []
    for index in 0..<(3 + random.below(5)) {
      let type = random.one(in: 2) ? leaf() : random.element(of: Self.composites)
      let name = random.one(in: 4) ? "special\(index)" : "f\(index)\(type)"
      fields.append(field(name, of: type))
    }
    return fields.joined(separator: " ")
  }

  private mutating func leaf() -> String {
    random.element(of: ["Int", "Float", "String", "Boolean", "ID", "Color", "Stamp"])
  }

  /// - Parameter type: Its name before it was given another.
  private mutating func field(_ name: String, of type: String) -> String {
    var type = typeName(type)
    for _ in 0..<(random.one(in: 3) ? 1 + random.below(2) : 0) { type = "[\(type)\(random.one(in: 2) ? "!" : "")]" }
    if random.one(in: 3) { type += "!" }
    let arguments = random.one(in: 3) ? "(\(arguments()))" : ""
    return described("\(fieldName(name))\(arguments): \(type)")
  }

  /// A field, perhaps with a description, and perhaps deprecated.
  private mutating func described(_ field: String) -> String {
    guard names == .hostile else { return field }
    var field = field
    if textRandom.one(in: 3) { field = textRandom.element(of: HostileTexts.literals) + " " + field }
    if textRandom.one(in: 6) { field += " @deprecated(reason: \(textRandom.element(of: HostileTexts.literals)))" }
    return field
  }

  private mutating func arguments() -> String {
    let range = typeName("Range"), color = typeName("Color")
    var all = [
      "first: Int = 3", "text: String", "color: \(color)", "range: \(range)", "ids: [ID!]", "ratio: Float",
      "grid: [[Int!]]",
    ]
    if names == .hostile {
      all += ["choice: \(typeName("Choice"))", "self: Int", "default: \(color)", "in: [\(range)]"]
    }
    return all.filter { _ in random.one(in: 3) }.joined(separator: ", ")
      + (random.one(in: 2) ? " flag: Boolean" : " count: Int")
  }
}
