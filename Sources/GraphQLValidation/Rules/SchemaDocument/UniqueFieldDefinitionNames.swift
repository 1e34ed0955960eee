import GraphQLSchema
public import GraphQLSyntax

extension Diagnostic.Code {
  /// A second field of a type with the same name.
  public static let duplicateField = Self("duplicate-field")
  /// An extension of a field that does not repeat what it extends.
  public static let mismatchedFieldExtension = Self("mismatched-field-extension")
}

extension Rule {
  /// No two fields of a type have the same name, unless an extension repeats a field to add directives to it.
  /// — [spec](https://spec.graphql.org/September2025/#sec-Objects.Type-Validation)
  public static let uniqueFieldDefinitionNames = Rule(
    "UniqueFieldDefinitionNames", section: "sec-Objects.Type-Validation",
    reports: .duplicateField, .mismatchedFieldExtension
  ) {
    UniqueFieldDefinitionNamesVisitor()
  }
}

private final class UniqueFieldDefinitionNamesVisitor: RuleVisitor {
  /// By type name: a definition and its extensions share their fields.
  private var names: [String: UniqueNames] = [:]
  /// The fields that extensions can repeat, by type and name.
  private var extensible: [String: FieldDefinition] = [:]

  func enter(_ document: Document, _ context: ValidationContext) {
    guard context.allowsFieldExtensions else { return }
    let extended = context.extendedSchema?.document.definitions ?? []
    for case .type(let type) in extended + document.definitions where !type.isExtension {
      for field in type.body.outputFields where extensible["\(type.name).\(field.name)"] == nil {
        extensible["\(type.name).\(field.name)"] = field
      }
    }
  }

  func enter(_ definition: Definition, _ context: ValidationContext) {
    guard case .type(let type) = definition else { return }
    let fields = type.body.outputFields.filter { field in
      guard type.isExtension, let original = extensible["\(type.name).\(field.name)"] else { return true }
      check(field, of: type.name.value, against: original, context)
      return false
    }
    check(fields.map(\.name), of: type.name.value, context)
    if case .inputObject(let fields) = type.body { check(fields.map(\.name), of: type.name.value, context) }
  }

  private func check(_ fields: [Name], of type: String, _ context: ValidationContext) {
    let existing = context.extendedSchema?.type(named: type)
    for field in fields {
      if existing?.hasField(field.value) == true {
        context.report(
          .duplicateField,
          "Field \"\(type).\(field)\" already exists in the schema. It cannot also be defined in this type extension.",
          at: field.span)
      } else if let first = names[type, default: UniqueNames()].insert(field) {
        context.report(
          .duplicateField, "Field \"\(type).\(field)\" can only be defined once.", at: field.span,
          labels: [.first(first)])
      }
    }
  }

  /// An extension of a field repeats its type and its arguments, and its description if it has one.
  private func check(
    _ field: FieldDefinition, of type: String, against original: FieldDefinition, _ context: ValidationContext
  ) {
    var differences: [String] = []
    if field.type != original.type { differences.append("the type \"\(original.type)\"") }
    if let description = field.description, description.value != original.description?.value {
      differences.append("the same description")
    }
    let isEqual = { (left: InputValueDefinition, right: InputValueDefinition) in
      left.type == right.type
        && left.defaultValue.map { Printer.print($0) } == right.defaultValue.map { Printer.print($0) }
    }
    let arguments = original.arguments
    if field.arguments.count != arguments.count
      || field.arguments.contains(where: { argument in
        arguments[argument.name.value].map { !isEqual(argument, $0) } ?? true
      })
    {
      differences.append("the same arguments, with their types and default values")
    }
    guard !differences.isEmpty else { return }
    context.report(
      .mismatchedFieldExtension,
      "The extension of field \"\(type).\(field.name)\" must repeat its definition: it needs \(differences.joined(separator: ", and ")).",
      at: field.span, labels: [.init("defined here", at: original.span)])
  }
}

extension TypeDefinition.Body {
  fileprivate var outputFields: [FieldDefinition] {
    switch self {
    case .object(_, let fields), .interface(_, let fields): fields
    case .scalar, .union, .enum, .inputObject: []
    }
  }
}

extension NamedType {
  fileprivate func hasField(_ name: String) -> Bool {
    if case .inputObject(let object) = self { return object.fields.contains(name) }
    return fields?.contains(name) ?? false
  }
}
