import GraphQLSyntax

extension SchemaComparison {
  mutating func compareTypes(_ old: Schema, _ new: Schema) {
    let defined = { (schema: Schema) in schema.definedTypes.filter { !Schema.isBuiltIn(typeNamed: $0.name) } }
    compare(defined(old), defined(new), by: \.name) { comparison, type in
      comparison.add(.typeRemoved, .breaking, of: type.name, message: "Type \(type.name) was removed.", at: type.span)
    } kept: { comparison, old, new in
      comparison.compare(old.definition, new.definition)
    } added: { comparison, type in
      comparison.add(.typeAdded, .safe, of: type.name, message: "Type \(type.name) was added.", at: type.span)
    }
  }

  private mutating func compare(_ old: TypeDefinition, _ new: TypeDefinition) {
    let name = new.name.value
    compareDescriptions(old.description, new.description, of: name, at: new.name.span)
    switch (old.body, new.body) {
    case (.scalar, .scalar): compareScalars(old, new)
    case (.object(let oldInterfaces, let oldFields), .object(let interfaces, let fields)),
      (.interface(let oldInterfaces, let oldFields), .interface(let interfaces, let fields)):
      compareInterfaces(oldInterfaces, interfaces, of: name)
      compareFields(oldFields, fields, of: name)
    case (.union(let oldMembers), .union(let members)): compareMembers(oldMembers, members, of: name)
    case (.enum(let oldValues), .enum(let values)): compareValues(oldValues, values, of: name)
    case (.inputObject(let oldFields), .inputObject(let fields)):
      compareOneOf(old, new)
      compareInputs(oldFields, fields, kind: .inputField) { "\(name).\($0)" }
    default:
      let message =
        "\(name) changed from \(old.body.article) \(old.body.kindName) type to \(new.body.article) \(new.body.kindName) type."
      add(.typeKindChanged, .breaking, of: name, message: message, at: new.name.span)
    }
  }

  private mutating func compareScalars(_ old: TypeDefinition, _ new: TypeDefinition) {
    let url = { (type: TypeDefinition) in ScalarType(type).specifiedByURL }
    guard url(old).map(ExactText.init) != url(new).map(ExactText.init) else { return }
    let name = new.name.value
    add(
      .specifiedByChanged, .dangerous, of: name,
      message: "The URL that specifies scalar \(name) changed to \(url(new) ?? "none").",
      at: new.name.span)
  }

  private mutating func compareInterfaces(_ old: [Name], _ new: [Name], of type: String) {
    compare(old, new, by: \.value) { comparison, name in
      let message = "\(type) no longer implements interface \(name)."
      comparison.add(.interfaceRemoved, .breaking, of: type, message: message, at: name.span)
    } kept: { _, _, _ in
    } added: { comparison, name in
      comparison.add(
        .interfaceAdded, .dangerous, of: type, message: "\(type) now implements interface \(name).", at: name.span)
    }
  }

  private mutating func compareMembers(_ old: [Name], _ new: [Name], of type: String) {
    compare(old, new, by: \.value) { comparison, name in
      comparison.add(
        .unionMemberRemoved, .breaking, of: type, message: "\(name) was removed from union type \(type).", at: name.span
      )
    } kept: { _, _, _ in
    } added: { comparison, name in
      comparison.add(
        .unionMemberAdded, .dangerous, of: type, message: "\(name) was added to union type \(type).", at: name.span)
    }
  }

  private mutating func compareValues(_ old: [EnumValueDefinition], _ new: [EnumValueDefinition], of type: String) {
    compare(old, new, by: \.name.value) { comparison, value in
      comparison.add(
        .enumValueRemoved, .breaking, of: "\(type).\(value.name)",
        message: "Enum value \(type).\(value.name) was removed.",
        at: value.name.span)
    } kept: { comparison, old, new in
      let coordinate = "\(type).\(new.name)"
      comparison.compareDescriptions(old.description, new.description, of: coordinate, at: new.name.span)
      comparison.compareDeprecations(old, new, of: coordinate, at: new.name.span)
    } added: { comparison, value in
      comparison.add(
        .enumValueAdded, .dangerous, of: "\(type).\(value.name)",
        message: "Enum value \(type).\(value.name) was added.",
        at: value.name.span)
    }
  }

  private mutating func compareFields(_ old: [FieldDefinition], _ new: [FieldDefinition], of type: String) {
    compare(old, new, by: \.name.value) { comparison, field in
      let coordinate = "\(type).\(field.name)"
      comparison.add(
        .fieldRemoved, .breaking, of: coordinate, message: "Field \(coordinate) was removed.", at: field.name.span)
    } kept: { comparison, old, new in
      comparison.compare(old, new, of: "\(type).\(new.name)")
    } added: { comparison, field in
      let coordinate = "\(type).\(field.name)"
      comparison.add(.fieldAdded, .safe, of: coordinate, message: "Field \(coordinate) was added.", at: field.name.span)
    }
  }

  private mutating func compare(_ old: FieldDefinition, _ new: FieldDefinition, of coordinate: String) {
    compareDescriptions(old.description, new.description, of: coordinate, at: new.name.span)
    if old.type != new.type {
      let message = "Field \(coordinate) changed type from \(old.type) to \(new.type)."
      let severity: SchemaChange.Severity = new.type.narrows(old.type) ? .safe : .breaking
      add(.fieldTypeChanged, severity, of: coordinate, message: message, at: new.type.span)
    }
    compareDeprecations(old, new, of: coordinate, at: new.name.span)
    compareInputs(old.arguments, new.arguments, kind: .argument) { "\(coordinate)(\($0):)" }
  }

  private mutating func compareOneOf(_ old: TypeDefinition, _ new: TypeDefinition) {
    let isOneOf = { (type: TypeDefinition) in type.directives.first(named: "oneOf") != nil }
    let name = new.name.value
    switch (isOneOf(old), isOneOf(new)) {
    case (false, true):
      add(.oneOfAdded, .breaking, of: name, message: "\(name) now takes exactly one of its fields.", at: new.name.span)
    case (true, false):
      add(
        .oneOfRemoved, .safe, of: name, message: "\(name) no longer takes exactly one of its fields.", at: new.name.span
      )
    default: break
    }
  }
}

extension TypeReference {
  /// Whether every value of this type is one of the other: where values are read, a change to it is safe.
  fileprivate func narrows(_ other: TypeReference) -> Bool {
    if other.isNonNull, !isNonNull { return false }
    switch (kind, other.kind) {
    case (.named(let name), .named(let other)): return name == other
    case (.list(let element), .list(let other)): return element.narrows(other)
    case (.named, .list), (.list, .named): return false
    }
  }

  /// Whether every value of the other type is one of this: where values are written, a change to it is safe.
  func widens(_ other: TypeReference) -> Bool { other.narrows(self) }
}

extension TypeDefinition.Body {
  fileprivate var article: String {
    switch self {
    case .object, .interface, .enum, .inputObject: "an"
    case .scalar, .union: "a"
    }
  }
}
