import GraphQLSchema
import GraphQLSyntax

/// What a type says by a directive: of its objects, or of one of its fields.
struct Statement<Value: Sendable>: Sendable {
  /// The name of the type.
  let type: String
  let value: Value
  let directive: Directive
}

/// What types say of their fields, by a directive on the field or by one on the type that names the field, such as
/// `@onDelete(cascade: true)` and `@onDeleteField(name: "comments", cascade: true)`.
struct FieldStatements<Value: Sendable>: Sendable {
  private let schema: Schema
  private let namesOnFields: Set<String>, namesOnTypes: Set<String>
  /// By the names of the type and of the field.
  private var statements: [String: [String: Statement<Value>]] = [:]

  /// Reads the directives of a schema.
  ///
  /// - Parameters:
  ///   - onField: The directive on fields.
  ///   - onType: The directive on types.
  ///   - schema: The schema.
  ///   - value: What a directive on a type, or on a field of it, says; nil if it says nothing.
  init(
    _ onField: PolicyDirective, _ onType: PolicyDirective, in schema: Schema,
    _ value: (NamedType, Directive) -> Value?
  ) {
    self.schema = schema
    namesOnFields = onField.names(in: schema)
    namesOnTypes = onType.names(in: schema)
    for type in schema.definedTypes where type.isComposite {
      for (field, directive) in directives(of: type) where statements[type.name]?[field] == nil {
        guard let value = value(type, directive) else { continue }
        statements[type.name, default: [:]][field] = Statement(type: type.name, value: value, directive: directive)
      }
    }
  }

  var isEmpty: Bool { statements.isEmpty }

  /// The directives on the fields of a type, with the names of the fields; then those of the type that name a field.
  func directives(of type: NamedType) -> [(field: String, directive: Directive)] {
    var found: [(field: String, directive: Directive)] = []
    for field in type.fields ?? NamedList() where !field.directives.isEmpty {
      for directive in field.directives where namesOnFields.contains(directive.name.value) {
        found.append((field.name.value, directive))
      }
    }
    for directive in directivesOnType(type) { directive.text("name").map { found.append(($0, directive)) } }
    return found
  }

  /// The directives of a type that are to name a field.
  func directivesOnType(_ type: NamedType) -> [Directive] {
    type.directives.filter { namesOnTypes.contains($0.name.value) }
  }

  /// Whether a type itself says something of a field.
  func isStated(_ field: String, on type: String) -> Bool { statements[type]?[field] != nil }

  /// What counts for a field of a type: what the type itself says, or else its interfaces. If interfaces contradict
  /// each other, there are several.
  ///
  /// - Parameters:
  ///   - field: The name of the field.
  ///   - type: The type.
  ///   - includingOwn: Whether it counts what the type itself says. The default is true.
  /// - Returns: What counts.
  func of(_ field: String, on type: NamedType, includingOwn: Bool = true) -> [Statement<Value>] {
    isEmpty ? [] : schema.statements(about: type, includingOwn: includingOwn) { statements[$0]?[field] }
  }
}

extension Schema {
  /// What counts for a type of what types say by directives: what the type itself says, or else its interfaces.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - includingOwn: Whether it counts what the type itself says. The default is true.
  ///   - statement: What a type says itself, by its name; nil if it says nothing.
  /// - Returns: What counts. There are several if interfaces say something of which none passes on the other's.
  func statements<Value>(
    about type: NamedType, includingOwn: Bool = true, _ statement: (String) -> Statement<Value>?
  ) -> [Statement<Value>] {
    if includingOwn, let own = statement(type.name) { return [own] }
    let stating = allInterfaces(of: type).filter { statement($0.name) != nil }
    // What an interface says counts before what it is passed on from others.
    let nearest = stating.filter { interface in
      !stating.contains { other in
        other.name != interface.name && allInterfaces(of: other).contains { $0.name == interface.name }
      }
    }
    return nearest.compactMap { statement($0.name) }
  }

  /// All interfaces of a type, those that it names first.
  private func allInterfaces(of type: NamedType) -> [NamedType] {
    var found: [NamedType] = [], names: Set = [type.name], pending = [type]
    while !pending.isEmpty {
      let next = pending.flatMap { type in type.interfaces.compactMap { self.type(named: $0.value) } }
        .filter { names.insert($0.name).inserted }
      found += next
      pending = next
    }
    return found
  }
}
