import GraphQLSchema
import GraphQLSyntax

/// A first query for a schema: one field that needs no arguments, with some fields of what it returns.
struct FirstQuery {
  /// The name of the query, such as `Issues`.
  let name: String
  /// The query.
  let text: String

  /// As many fields are enough, and as many are the most.
  private static let fieldCounts = (few: 3, most: 5)

  init(_ schema: Schema) {
    let fields = schema.queryType?.fields.filter(Self.canBeAsked) ?? []
    let candidates = fields.compactMap { field in Self.selection(of: field, in: schema).map { (field, $0) } }
    // Objects that can be told apart make the better example.
    let best = candidates.first { $0.1.contains("id") } ?? candidates.first
    guard let (field, selections) = best else {
      name = "First"
      text = "query First {\n  __typename\n}\n"
      return
    }
    name = field.name.value.prefix(1).uppercased() + field.name.value.dropFirst()
    let body = selections.isEmpty ? "" : " {\n" + selections.lines(indent: "    ") + "  }"
    text = "query \(name) {\n  \(field.name.value)\(Self.arguments(of: field, in: schema))\(body)\n}\n"
  }

  /// Selections, perhaps those of the nodes of a connection.
  private struct Selections {
    var path: [String] = []
    var fields: [String]

    var isEmpty: Bool { fields.isEmpty }

    func contains(_ field: String) -> Bool { fields.contains(field) }

    func lines(indent: String) -> String {
      var text = "", indent = indent
      for field in path {
        text += "\(indent)\(field) {\n"
        indent += "  "
      }
      text += fields.map { "\(indent)\($0)\n" }.joined()
      for _ in path {
        indent.removeLast(2)
        text += "\(indent)}\n"
      }
      return text
    }
  }

  private static func canBeAsked(_ field: FieldDefinition) -> Bool {
    !field.name.value.hasPrefix("_") && field.deprecationReason == nil && !field.arguments.contains(where: \.isRequired)
  }

  /// What to select of a field; nil if nothing can be selected without arguments.
  private static func selection(of field: FieldDefinition, in schema: Schema) -> Selections? {
    guard let type = schema.type(of: field.type) else { return nil }
    if type.isLeaf { return Selections(fields: []) }
    for path in [["nodes"], ["edges", "node"]] {
      var node: NamedType? = type
      for name in path {
        guard let field = node?.fields?[name], canBeAsked(field) else {
          node = nil
          break
        }
        node = schema.type(of: field.type)
      }
      if let node, let fields = leaves(of: node, in: schema) { return Selections(path: path, fields: fields) }
    }
    return leaves(of: type, in: schema).map { Selections(fields: $0) }
  }

  /// Some fields without subfields, the telling ones first; nil if there are none.
  private static func leaves(of type: NamedType, in schema: Schema) -> [String]? {
    guard type.isComposite else { return nil }
    let fields = (type.fields.map(Array.init) ?? []).filter { field in
      canBeAsked(field) && schema.type(of: field.type)?.isLeaf == true
    }
    let telling = ["id", "name", "title", "login", "text", "description"]
    let names = fields.map(\.name.value), others = fields.filter { !telling.contains($0.name.value) }
    // A field that may be null may also fail, and is asked for only if there is little else.
    let certain = telling.filter(names.contains) + others.filter(\.type.isNonNull).map(\.name.value)
    let uncertain = others.filter { !$0.type.isNonNull }.map(\.name.value)
    let chosen = certain.prefix(fieldCounts.most) + uncertain.prefix(max(0, fieldCounts.few - certain.count))
    if chosen.isEmpty { return type.fields == nil ? ["__typename"] : nil }
    return Array(chosen)
  }

  /// Servers refuse long lists, and some refuse a list without a length.
  private static func arguments(of field: FieldDefinition, in schema: Schema) -> String {
    let length = ["first", "limit"].first { name in
      field.arguments.contains { $0.name.value == name && $0.type.namedType.value == "Int" }
    }
    return length.map { "(\($0): 10)" } ?? ""
  }
}
