import GraphQLSchema
public import GraphQLSyntax

extension Diagnostic.Code {
  /// A field that the type does not have.
  public static let unknownField = Self("unknown-field")
}

extension Rule {
  /// Selected fields are defined on the type they are selected on.
  /// — [spec](https://spec.graphql.org/September2025/#sec-Field-Selections)
  public static let fieldsOnCorrectType = Rule(
    "FieldsOnCorrectType", section: "sec-Field-Selections", reports: .unknownField
  ) {
    FieldsOnCorrectTypeVisitor()
  }
}

private final class FieldsOnCorrectTypeVisitor: RuleVisitor {
  func enter(_ field: Field, _ context: ValidationContext) {
    guard let type = context.parentType, context.field == nil else { return }
    context.report(
      .unknownField, "Cannot query field \"\(field.name)\" on type \"\(type.name)\".", at: field.span,
      help: suggestTypes(for: field.name.value, on: type, context.schema)
        ?? Suggestions.didYouMean(
          context.similar(to: field.name.value, among: (type.fields ?? NamedList()).map(\.name.value))))
  }

  /// Types under an abstract type that do have the field: those that most of them are or implement first, and an
  /// interface before what implements it.
  private func suggestTypes(for field: String, on type: NamedType, _ schema: Schema) -> String? {
    guard type.isAbstract else { return nil }
    var objects: [String] = []
    var interfaces: [String: Int] = [:]
    for object in schema.possibleTypes(of: type) where object.fields.contains(field) {
      objects.append(object.name)
      for interface in object.interfaces
      where schema.type(named: interface.value)?.fields?.contains(field) == true {
        interfaces[interface.value, default: 0] += 1
      }
    }
    var candidates = objects.map { (name: $0, count: 1) } + interfaces.map { (name: $0, count: $1) }
    candidates.sort { $0.count != $1.count ? $0.count > $1.count : $0.name < $1.name }
    var suggestions: [String] = []
    while suggestions.count < Suggestions.maximumCount {
      let next = candidates.firstIndex { candidate in
        !interfaces.keys.contains {
          $0 != candidate.name && !suggestions.contains($0) && schema.isSubtype(candidate.name, of: $0)
        }
      }
      guard let next else { break }
      suggestions.append(candidates.remove(at: next).name)
    }
    return Suggestions.didYouMean("to use an inline fragment on", suggestions)
  }
}
