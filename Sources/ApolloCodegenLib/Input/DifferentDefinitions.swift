import ApolloDirectives
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation

/// Definitions of one type, or of one field, in two files that do not say the same. The first one counts, so the names
/// of the files would decide what is generated.
struct DifferentDefinitions {
  /// Types by the places of their names, and for each of their fields a type that has only this one.
  private var definitions: [SourceSpan: TypeDefinition] = [:]
  private let sources: SourceMap
  /// The names of the directives by which definitions differ. A reason, a specification, or what only servers read, does
  /// not count: an introspection of the same schema has less of it.
  private let directives: Set<String>

  /// Makes errors of the findings about such definitions.
  ///
  /// - Parameters:
  ///   - findings: What was found in a schema.
  ///   - schema: The schema that was made of the documents.
  ///   - documents: The documents of the schema.
  ///   - sources: The texts of the documents.
  /// - Returns: All findings.
  static func refuse(
    _ findings: [Diagnostic], of schema: Schema, in documents: [Document], from sources: [Source]
  ) -> [Diagnostic] {
    guard findings.contains(where: { $0.firstPlace != nil }) else { return findings }
    let definitions = DifferentDefinitions(of: schema, in: documents, from: sources)
    return findings.map { definitions.refuse($0) }
  }

  private init(of schema: Schema, in documents: [Document], from sources: [Source]) {
    self.sources = SourceMap(sources)
    directives = ClientDefinitions.namesForSchemas(in: schema).union(["oneOf"])
    for case .type(let type) in documents.flatMap(\.definitions) {
      definitions[type.name.span] = type
      for (field, body) in type.body.parts {
        definitions[field.span] = TypeDefinition(isExtension: type.isExtension, name: type.name, body: body)
      }
    }
  }

  private func refuse(_ finding: Diagnostic) -> Diagnostic {
    guard let place = finding.firstPlace, let file = sources[place.source]?.name,
      let first = definitions[place], let second = definitions[finding.span],
      // What two definitions of a type say about a field is a part of what they say about the type.
      finding.code == .duplicateType || first.isExtension || second.isExtension,
      first.meaning(directives) != second.meaning(directives)
    else { return finding }
    var finding = finding
    finding.severity = .error
    finding.help =
      "\"\(file)\" defines it in another way. Remove one of the two, or exclude its file in the search paths. "
      + "What adds to a type begins with \"extend\"."
    return finding
  }
}

extension Diagnostic {
  /// Where a type or a field is defined for the first time, if the finding is about another definition in another file.
  fileprivate var firstPlace: SourceSpan? {
    guard [.duplicateType, .duplicateField].contains(code) else { return nil }
    return labels.first.map(\.span).flatMap { $0.source == span.source ? nil : $0 }
  }
}

// MARK: - What definitions say

extension TypeDefinition {
  /// What of the definition decides about generated code, in the order of names.
  ///
  /// - Parameter directives: The names of the directives that do.
  /// - Returns: The definition without descriptions and other directives.
  fileprivate func meaning(_ directives: Set<String>) -> TypeDefinition {
    TypeDefinition(name: name, directives: self.directives.named(directives), body: body.meaning(directives))
  }
}

extension TypeDefinition.Body {
  /// For each field its name, and a body with this field only.
  fileprivate var parts: [(name: Name, body: Self)] {
    switch self {
    case .object(_, let fields), .interface(_, let fields):
      fields.map { ($0.name, .object(interfaces: [], fields: [$0])) }
    case .inputObject(let fields): fields.map { ($0.name, .inputObject(fields: [$0])) }
    case .scalar, .union, .enum: []
    }
  }

  fileprivate func meaning(_ directives: Set<String>) -> Self {
    func meaning(_ fields: [FieldDefinition]) -> [FieldDefinition] {
      fields.map { $0.meaning(directives) }.ordered(by: \.name.value)
    }
    switch self {
    case .scalar: return .scalar
    case .object(let interfaces, let fields):
      return .object(interfaces: interfaces.ordered(by: \.value), fields: meaning(fields))
    case .interface(let interfaces, let fields):
      return .interface(interfaces: interfaces.ordered(by: \.value), fields: meaning(fields))
    case .union(let members): return .union(members: members.ordered(by: \.value))
    case .enum(let values):
      let meanings = values.map { EnumValueDefinition(name: $0.name, directives: $0.directives.named(directives)) }
      return .enum(values: meanings.ordered(by: \.name.value))
    case .inputObject(let fields):
      return .inputObject(fields: fields.map { $0.meaning(directives) }.ordered(by: \.name.value))
    }
  }
}

extension FieldDefinition {
  fileprivate func meaning(_ directives: Set<String>) -> FieldDefinition {
    FieldDefinition(
      name: name, arguments: arguments.map { $0.meaning(directives) }.ordered(by: \.name.value), type: type,
      directives: self.directives.named(directives))
  }
}

extension InputValueDefinition {
  fileprivate func meaning(_ directives: Set<String>) -> InputValueDefinition {
    InputValueDefinition(
      name: name, type: type, defaultValue: defaultValue, directives: self.directives.named(directives))
  }
}

extension [Directive] {
  fileprivate func named(_ names: Set<String>) -> Self { filter { names.contains($0.name.value) } }
}

extension Array {
  fileprivate func ordered(by name: (Element) -> String) -> [Element] { sorted { name($0) < name($1) } }
}
