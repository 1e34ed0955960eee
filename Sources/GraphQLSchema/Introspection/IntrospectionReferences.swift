import GraphQLSyntax

/// What the types of an introspection say of each other, held against the types that are there.
///
/// A member of a type that is not there cannot be used. It is left out if that is allowed; and so is what cannot be used
/// without it, such as an input object with such a field that must be given.
struct IntrospectionReferences {
  private(set) var definitions: [TypeDefinition]
  private(set) var problems: [(message: String, span: SourceSpan)] = []
  private let isLenient: Bool
  private var defined: [String: TypeDefinition.Body]
  /// The input objects that have to be left out.
  private var unusable: Set<String> = []

  init(_ definitions: [TypeDefinition], isLenient: Bool) {
    self.definitions = definitions
    self.isLenient = isLenient
    defined = Dictionary(definitions.map { ($0.name.value, $0.body) }) { first, _ in first }
  }

  /// Whether there is a type. Some servers do not list the scalars that every schema has.
  func isDefined(_ name: Name) -> Bool {
    defined[name.value] != nil || isLenient && Self.scalars.contains(name.value)
  }

  private static let scalars: Set = ["Int", "Float", "String", "Boolean", "ID"]

  static func unknown(_ name: Name, _ place: String) -> String {
    "Invalid or incomplete schema, unknown type: \(name). Ensure that a full introspection query is used in order to "
      + "build a client schema. It is named by \(place)."
  }

  // MARK: - Types

  mutating func checkTypes() {
    checkMembers()
    guard !unusable.isEmpty else { return }
    if isLenient { findUsers() }
    definitions.removeAll { unusable.contains($0.name.value) }
    for name in unusable { defined[name] = nil }
    // Members of other types may name what is left out.
    if isLenient { checkMembers() }
  }

  private mutating func checkMembers() {
    for index in definitions.indices {
      var definition = definitions[index]
      check(&definition)
      definitions[index] = definition
    }
  }

  /// Finds the input objects that must be given one that is left out, those that must be given one of them, and so on.
  /// Each required field is looked at once.
  private mutating func findUsers() {
    var users: [String: [(type: String, field: InputValueDefinition)]] = [:]
    for definition in definitions {
      guard case .inputObject(let fields) = definition.body else { continue }
      for field in fields where field.isRequired {
        users[field.type.namedType.value, default: []].append((definition.name.value, field))
      }
    }
    var pending = definitions.map(\.name.value).filter { unusable.contains($0) }
    while let name = pending.popLast() {
      for (type, field) in users[name] ?? [] where unusable.insert(type).inserted {
        let missing = field.type.namedType
        problems.append((Self.unknown(missing, "\"\(type).\(field.name)\""), missing.span))
        pending.append(type)
      }
    }
  }

  private mutating func check(_ definition: inout TypeDefinition) {
    let type = definition.name.value
    switch definition.body {
    case .scalar, .enum: break
    case .object(let interfaces, let fields):
      let known = interfaces.filter { isInterface($0, of: type) }
      definition.body = .object(interfaces: known, fields: fields.compactMap { check($0, of: type) })
    case .interface(let interfaces, let fields):
      let known = interfaces.filter { isInterface($0, of: type) }
      definition.body = .interface(interfaces: known, fields: fields.compactMap { check($0, of: type) })
    case .union(let members):
      definition.body = .union(
        members: members.filter { name in
          isKnown(name, as: "object types for members", in: type, "\(type)") {
            if case .object = $0 { true } else { false }
          }
        })
    case .inputObject(let fields):
      let usable = fields.filter { isInput($0.type, in: type, "\(type).\($0.name)") }
      let names = Set(usable.map(\.name.value))
      if fields.contains(where: { !names.contains($0.name.value) && $0.isRequired }) { unusable.insert(type) }
      definition.body = .inputObject(fields: usable)
    }
  }

  private mutating func isInterface(_ name: Name, of type: String) -> Bool {
    isKnown(name, as: "interface types to implement", in: type, type) {
      if case .interface = $0 { true } else { false }
    }
  }

  /// The field without the arguments whose types are not there; nil if it cannot be used.
  private mutating func check(_ field: FieldDefinition, of type: String) -> FieldDefinition? {
    let place = "\(type).\(field.name)"
    let isOutput = isKnown(field.type.namedType, as: "output types for fields", in: type, place) {
      if case .inputObject = $0 { false } else { true }
    }
    var field = field
    let isCallable = keepUsable(&field.arguments, of: place, in: type)
    return isOutput && isCallable ? field : nil
  }

  mutating func checkArguments(of directives: inout [DirectiveDefinition]) {
    // (Strictly, types of arguments of directives are not looked at here.)
    guard isLenient else { return }
    for index in directives.indices {
      let name = "@\(directives[index].name)"
      _ = keepUsable(&directives[index].arguments, of: name, in: name)
    }
  }

  /// Leaves out arguments whose types are not there. False if one of them must be given.
  private mutating func keepUsable(_ arguments: inout [InputValueDefinition], of place: String, in type: String) -> Bool
  {
    var isCallable = true
    arguments = arguments.filter { argument in
      let isUsable = isInput(argument.type, in: type, "\(place)(\(argument.name):)", what: "arguments")
      if !isUsable, argument.isRequired { isCallable = false }
      return isUsable
    }
    return isCallable
  }

  private mutating func isInput(
    _ reference: TypeReference, in type: String, _ place: String, what: String = "input fields"
  ) -> Bool {
    isKnown(reference.namedType, as: "input types for \(what)", in: type, place) { body in
      switch body {
      case .scalar, .enum, .inputObject: true
      case .object, .interface, .union: false
      }
    }
  }

  /// Whether a type is there, and is of a kind that is possible at a place. If not, that is reported.
  private mutating func isKnown(
    _ name: Name, as expected: String, in type: String, _ place: String, where isExpected: (TypeDefinition.Body) -> Bool
  ) -> Bool {
    guard isDefined(name) else {
      problems.append((Self.unknown(name, "\"\(place)\""), name.span))
      return false
    }
    if isExpected(defined[name.value] ?? .scalar) { return true }
    problems.append(
      ("Introspection must provide \(expected) in \(type), but received: \(name), at \"\(place)\".", name.span))
    return false
  }
}
