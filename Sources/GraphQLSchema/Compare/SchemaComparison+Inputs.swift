import GraphQLSyntax

extension SchemaComparison {
  /// What takes a value of a client.
  enum InputKind {
    case argument, inputField

    var name: String { self == .argument ? "argument" : "input field" }
    var added: SchemaChange.Kind { self == .argument ? .argumentAdded : .inputFieldAdded }
    var removed: SchemaChange.Kind { self == .argument ? .argumentRemoved : .inputFieldRemoved }
    var typeChanged: SchemaChange.Kind { self == .argument ? .argumentTypeChanged : .inputFieldTypeChanged }
  }

  mutating func compareInputs(
    _ old: [InputValueDefinition], _ new: [InputValueDefinition], kind: InputKind, coordinate: (String) -> String
  ) {
    compare(old, new, by: \.name.value) { comparison, input in
      let coordinate = coordinate(input.name.value)
      comparison.add(
        kind.removed, .breaking, of: coordinate, message: "\(kind.name.capitalizedFirst) \(coordinate) was removed.",
        at: input.name.span)
    } kept: { comparison, old, new in
      comparison.compare(old, new, kind: kind, of: coordinate(new.name.value))
    } added: { comparison, input in
      let coordinate = coordinate(input.name.value)
      comparison.add(
        kind.added, input.isRequired ? .breaking : .dangerous, of: coordinate,
        message: "\(input.isRequired ? "Required" : "Optional") \(kind.name) \(coordinate) was added.",
        at: input.name.span)
    }
  }

  private mutating func compare(
    _ old: InputValueDefinition, _ new: InputValueDefinition, kind: InputKind, of coordinate: String
  ) {
    compareDescriptions(old.description, new.description, of: coordinate, at: new.name.span)
    compareDeprecations(old, new, of: coordinate, at: new.name.span)
    let subject = "\(kind.name.capitalizedFirst) \(coordinate)"
    if old.type != new.type {
      let severity: SchemaChange.Severity = new.type.widens(old.type) ? .safe : .breaking
      let message = "\(subject) changed type from \(old.type) to \(new.type)."
      add(kind.typeChanged, severity, of: coordinate, message: message, at: new.type.span)
    }
    let print = { (value: Value) in Printer.print(value.canonical, style: .dense) }
    switch (old.defaultValue.map(print), new.defaultValue.map(print)) {
    case (nil, let value?):
      add(
        .defaultValueAdded, .safe, of: coordinate, message: "\(subject) now has the default value \(value).",
        at: new.span)
    case (let value?, nil):
      let severity: SchemaChange.Severity = new.isRequired ? .breaking : .dangerous
      let consequence = new.isRequired ? " and is required" : ""
      let message = "\(subject) no longer has the default value \(value)\(consequence)."
      add(.defaultValueRemoved, severity, of: coordinate, message: message, at: new.span)
    case (let old?, let value?) where ExactText(old) != ExactText(value):
      let message = "\(subject) changed its default value from \(old) to \(value)."
      add(.defaultValueChanged, .dangerous, of: coordinate, message: message, at: new.span)
    default: break
    }
  }

  mutating func compareDirectives(_ old: Schema, _ new: Schema) {
    compare(Array(old.directiveDefinitions), Array(new.directiveDefinitions), by: \.name.value) {
      comparison, directive in
      let name = "@\(directive.name)"
      comparison.add(
        .directiveRemoved, .breaking, of: name, message: "Directive \(name) was removed.", at: directive.name.span)
    } kept: { comparison, old, new in
      comparison.compare(old, new)
    } added: { comparison, directive in
      let name = "@\(directive.name)"
      comparison.add(.directiveAdded, .safe, of: name, message: "Directive \(name) was added.", at: directive.name.span)
    }
  }

  private mutating func compare(_ old: DirectiveDefinition, _ new: DirectiveDefinition) {
    let name = "@\(new.name)"
    let span = new.name.span
    compareDescriptions(old.description, new.description, of: name, at: span)
    compareInputs(old.arguments, new.arguments, kind: .argument) { "\(name)(\($0):)" }
    if old.isRepeatable, !new.isRepeatable {
      add(
        .directiveRepeatableRemoved, .breaking, of: name, message: "Directive \(name) is no longer repeatable.",
        at: span)
    } else if new.isRepeatable, !old.isRepeatable {
      add(.directiveRepeatableAdded, .safe, of: name, message: "Directive \(name) is now repeatable.", at: span)
    }
    compare(old.locations, new.locations, by: \.rawValue) { comparison, location in
      let message = "Directive \(name) may no longer stand on \(location.rawValue)."
      comparison.add(.directiveLocationRemoved, .breaking, of: name, message: message, at: span)
    } kept: { _, _, _ in
    } added: { comparison, location in
      let message = "Directive \(name) may now stand on \(location.rawValue)."
      comparison.add(.directiveLocationAdded, .safe, of: name, message: message, at: span)
    }
  }
}

extension Value {
  /// The same value however it is written: the fields of objects by name, strings between single quotes.
  fileprivate var canonical: Value {
    switch kind {
    case .string(let string): Value(.string(StringValue(string.value)))
    case .list(let values): Value(.list(values.map(\.canonical)))
    case .object(let fields):
      Value(
        .object(
          fields.map { ObjectField(name: $0.name, value: $0.value.canonical) }.sorted { $0.name.value < $1.name.value })
      )
    case .variable, .int, .float, .boolean, .null, .enum: Value(kind)
    }
  }
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
