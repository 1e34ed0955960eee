import GraphQLSchema
public import GraphQLSyntax

extension Diagnostic.Code {
  /// An interface that a type says it implements, but cannot or does not.
  public static let invalidImplementation = Self("invalid-implementation")
}

extension TypeSystemRule {
  /// Types have what the interfaces they implement have
  /// — [spec](https://spec.graphql.org/September2025/#IsValidImplementation())
  static let interfaceImplementations = TypeSystemRule(
    "InterfaceImplementations", section: "sec-Objects.Type-Validation", reports: .invalidImplementation
  ) { schema in
    schema.definedTypes.flatMap { type -> [Diagnostic] in
      guard !type.interfaces.isEmpty else { return [] }
      var checker = ImplementationChecker(schema: schema, type: type)
      checker.check()
      return checker.diagnostics
    }
  }
}

private struct ImplementationChecker {
  let schema: Schema
  let type: NamedType
  private(set) var diagnostics: [Diagnostic] = []

  init(schema: Schema, type: NamedType) {
    self.schema = schema
    self.type = type
  }

  mutating func check() {
    var names = UniqueNames()
    let implemented = Set(type.interfaces.map(\.value))
    for name in type.interfaces {
      guard let target = schema.type(named: name.value) else { continue }
      guard case .interface(let interface) = target else {
        report("Type \(type.name) must only implement Interface types, it cannot implement \(name).", at: name.span)
        continue
      }
      if interface.name == type.name {
        report(
          "Type \(type.name) cannot implement itself because it would create a circular reference.", at: name.span)
      } else if let first = names.insert(name) {
        report(
          "Type \(type.name) can only implement \(name) once.", at: name.span,
          labels: [.init("first implemented here", at: first)])
      } else {
        checkAncestors(of: interface, name, implemented)
        for field in interface.fields { check(field, of: interface) }
      }
    }
  }

  /// What an interface implements, its implementations must name as well.
  private mutating func checkAncestors(of interface: InterfaceType, _ name: Name, _ implemented: Set<String>) {
    for ancestor in interface.interfaces where !implemented.contains(ancestor.value) {
      let message =
        ancestor.value == type.name
        ? "Type \(type.name) cannot implement \(interface.name) because it would create a circular reference."
        : "Type \(type.name) must implement \(ancestor) because it is implemented by \(interface.name)."
      report(message, at: name.span, labels: [.init("implemented here", at: ancestor.span)])
    }
  }

  private mutating func check(_ expected: FieldDefinition, of interface: InterfaceType) {
    let coordinate = "\(interface.name).\(expected.name)"
    guard let field = type.fields?[expected.name.value] else {
      report(
        "Interface field \(coordinate) expected but \(type.name) does not provide it.", at: type.span,
        labels: [.init("expected by this field", at: expected.span)])
      return
    }
    if !schema.isSubtype(field.type, of: expected.type) {
      report(
        "Interface field \(coordinate) expects type \(expected.type) but \(type.name).\(field.name) is type \(field.type).",
        at: field.type.span, labels: [.init("expected by this type", at: expected.type.span)])
    }
    checkArguments(of: field, expected, coordinate)
    if let directive = field.directives.first(named: "deprecated"), !expected.isDeprecated {
      report(
        "Interface field \(coordinate) is not deprecated, so implementation field \(type.name).\(field.name) must not be deprecated.",
        at: directive.span, labels: [.init("implements a field that is not deprecated", at: field.type.span)])
    }
  }

  private mutating func checkArguments(of field: FieldDefinition, _ expected: FieldDefinition, _ coordinate: String) {
    for argument in expected.arguments {
      let interfaceArgument = "\(coordinate)(\(argument.name):)"
      guard let own = field.arguments[argument.name.value] else {
        report(
          "Interface field argument \(interfaceArgument) expected but \(type.name).\(field.name) does not provide it.",
          at: field.span, labels: [.init("expected by this argument", at: argument.span)])
        continue
      }
      if own.type != argument.type {
        report(
          "Interface field argument \(interfaceArgument) expects type \(argument.type) but \(type.name).\(field.name)(\(argument.name):) is type \(own.type).",
          at: own.type.span, labels: [.init("expected by this type", at: argument.type.span)])
      }
    }
    for argument in field.arguments where argument.isRequired && expected.arguments[argument.name.value] == nil {
      report(
        "Argument \"\(type.name).\(field.name)(\(argument.name):)\" must not be required type \"\(argument.type)\" if not provided by the Interface field \"\(coordinate)\".",
        at: argument.span, labels: [.init("this field does not have it", at: expected.span)])
    }
  }

  private mutating func report(_ message: String, at span: SourceSpan, labels: [Diagnostic.Label] = []) {
    diagnostics.append(Diagnostic(.invalidImplementation, message, at: span, labels: labels))
  }
}
