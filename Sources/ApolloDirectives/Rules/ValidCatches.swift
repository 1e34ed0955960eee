import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation

extension DirectiveRule {
  /// The directives about nulls in a schema name a known target, fields that exist, and levels of their lists. A field has
  /// one of them at most.
  static let validSemanticNonNull = DirectiveRule { context in
    let nullability = context.directives.nullability, schema = context.schema
    let ofSchema = schema.directives.filter { nullability.defaultNames.contains($0.name.value) }
    return ofSchema.compactMap(NullProblem.target)
      + schema.definedTypes.filter(\.isComposite).flatMap { type -> [Diagnostic] in
        let directives = nullability.semantic.directives(of: type)
        let problems = directives.flatMap { name, directive -> [Diagnostic] in
          guard let field = type.fields?[name] else {
            return [
              Diagnostic(
                .invalidCatch, "The type \"\(type.name)\" has no field \"\(name)\".",
                at: directive.span, help: type.suggestion(for: name))
            ]
          }
          return NullProblem.levels(of: directive, on: field.type, called: "\(type.name).\(name)")
        }
        let byField = Dictionary(grouping: directives, by: \.field)
        return problems
          + (type.fields ?? NamedList()).map(\.name.value).compactMap { field in
            repetition(
              of: byField[field, default: []].map(\.directive), .invalidCatch,
              "Several directives say where \"\(type.name).\(field)\" is null.")
          }
      }
  }

  /// The directives about nulls in operations and fragments are valid, and have an effect.
  static let validCatches = DirectiveRule { context in
    let nullability = context.directives.nullability
    let definitions =
      context.document.operations.map(\.directives) + context.document.fragments.map(\.directives)
    return definitions.flatMap { NullProblem.definition($0, nullability) }
      + context.selectedFields.flatMap { NullProblem.field($0, nullability) }
  }

  /// Selections that are merged do the same with nulls and errors. It is for documents that are valid otherwise.
  static let consistentCatches = DirectiveRule { context in
    let nullability = context.directives.nullability
    guard context.document.usesNulls(nullability) else { return [] }
    var options = Validator.Options()
    options.rules = [.overlappingFieldsCanBeMerged]
    // The document has been found to be within the limit.
    options.maximumDepth = .max
    let document = NullFormText(nullability: nullability, schema: context.schema).written(context.document)
    let schema = ClientDefinitions.schemaForOperations(context.schema)
    return Validator.validate(document, against: schema, options: options).diagnostics.map { conflict in
      var diagnostic = Diagnostic(
        .conflictingCatch, "Selections of one field do different things with its nulls or errors.", at: conflict.span,
        help: "Write the same @catch and @required on both, or give one of them an alias.")
      diagnostic.labels = conflict.labels
      return diagnostic
    }
  }
}

/// What is wrong with the directives about nulls.
private enum NullProblem {
  static let optIn = "Say in the schema what fields do by default: extend schema @catchByDefault(to: NULL)"

  /// An error for a directive whose target is unknown.
  static func target(_ directive: Directive) -> Diagnostic? {
    guard directive.argument("to").map({ _ in CatchTarget(directive) == nil }) ?? false else { return nil }
    return Diagnostic(
      .invalidCatch, "\"to\" of @\(directive.name) has to be RESULT, NULL or THROW.", at: directive.span)
  }

  /// Errors for levels that a type does not have.
  static func levels(of directive: Directive, on type: TypeReference, called name: String) -> [Diagnostic] {
    let count = type.nullableLevels.count
    return (directive.levels ?? []).compactMap { value in
      guard case .int(let digits) = value.kind else { return nil }
      if let level = Int(digits), (0..<count).contains(level) { return nil }
      let reason = digits.hasPrefix("-") ? "Levels are counted from 0" : "The type has no such list"
      return Diagnostic(
        .invalidCatch, "\"\(name)\" of type \"\(type)\" has no level \(digits).", at: value.span,
        help: "\(reason). Level 0 is the field itself, level 1 the elements of its list.")
    }
  }

  /// Errors for the directives of an operation or a fragment.
  static func definition(_ directives: [Directive], _ nullability: Nullability) -> [Diagnostic] {
    let defaults = directives.filter { nullability.defaultNames.contains($0.name.value) }
    var diagnostics: [Diagnostic] = []
    if let first = defaults.first, nullability.schemaDefault == nil {
      diagnostics.append(
        Diagnostic(
          .invalidCatch, "@\(first.name) needs a schema that says what fields do by default.", at: first.span,
          help: optIn))
    }
    if let first = defaults.first,
      let other = directives.first(where: { nullability.throwNames.contains($0.name.value) })
    {
      diagnostics.append(
        Diagnostic(
          .invalidCatch, "@\(other.name) and @\(first.name) both say what fields do by default.", at: other.span,
          labels: [.init("@\(first.name) is here", at: first.span)], help: "Remove one of them."))
    }
    return diagnostics
  }

  /// Errors for the directives of a field.
  static func field(_ selected: SelectedField, _ nullability: Nullability) -> [Diagnostic] {
    guard !selected.field.directives.isEmpty, let definition = selected.definition else { return [] }
    let name = "\(selected.type.name).\(selected.field.name)"
    let catches = selected.field.directives.filter { nullability.catchNames.contains($0.name.value) }
    var diagnostics: [Diagnostic] = []
    for directive in catches {
      if nullability.schemaDefault == nil {
        diagnostics.append(
          Diagnostic(
            .invalidCatch, "@\(directive.name) needs a schema that says what fields do by default.",
            at: directive.span, help: optIn))
      }
      diagnostics += levels(of: directive, on: definition.type, called: name)
    }
    guard let required = selected.field.directives.first(where: { nullability.requiredNames.contains($0.name.value) })
    else { return diagnostics }
    if let first = catches.first, (first.levels?.compactMap(\.number) ?? [0]).contains(0) {
      diagnostics.append(
        Diagnostic(
          .invalidCatch, "@\(required.name) and @\(first.name) both say what becomes of \"\(name)\" if it is null.",
          at: required.span, labels: [.init("@\(first.name) is here", at: first.span)], help: "Remove one of them."))
    } else if definition.type.isNonNull {
      diagnostics.append(
        Diagnostic(
          .invalidCatch, "\"\(name)\" is never null, so @\(required.name) has no effect.", at: required.span,
          help: "Remove @\(required.name)."))
    }
    return diagnostics
  }
}

extension Document {
  /// Whether there are directives about nulls, which could differ from one selection to the other.
  fileprivate func usesNulls(_ nullability: Nullability) -> Bool {
    let definitions = nullability.definitionNames, fields = nullability.fieldNames
    func isUsed(_ directives: [Directive], _ selectionSet: SelectionSet) -> Bool {
      directives.contains { definitions.contains($0.name.value) }
        || selectionSet.contains { $0.directives.contains { fields.contains($0.name.value) } }
    }
    return operations.contains { isUsed($0.directives, $0.selectionSet) }
      || self.fragments.contains { isUsed($0.directives, $0.selectionSet) }
  }
}

/// Writes what fields do with nulls as an argument: then the rule for arguments of merged fields compares it.
private struct NullFormText {
  let nullability: Nullability
  let schema: Schema
  /// (Names of a schema do not begin with two underscores.)
  private static let argument = "__nulls"

  init(nullability: Nullability, schema: Schema) {
    self.nullability = nullability
    self.schema = schema
  }

  func written(_ document: Document) -> Document {
    var document = document
    document.definitions = document.definitions.map { definition in
      switch definition {
      case .operation(var operation):
        let selections = nullability.marked(operation.selectionSet, by: operation.directives)
        operation.selectionSet = written(
          selections, on: schema.rootType(for: operation.operation).map { .object($0) })
        return .operation(operation)
      case .fragment(var fragment):
        let selections = nullability.marked(fragment.selectionSet, by: fragment.directives)
        fragment.selectionSet = written(selections, on: schema.type(named: fragment.typeCondition.value))
        return .fragment(fragment)
      default: return definition
      }
    }
    return document
  }

  private func written(_ selectionSet: SelectionSet, on type: NamedType?) -> SelectionSet {
    SelectionSet(
      selectionSet.selections.map { selection in
        switch selection {
        case .field(var field):
          guard let type, let definition = schema.field(named: field.name.value, on: type) else { return selection }
          field.selectionSet = field.selectionSet.map { written($0, on: schema.type(of: definition.type)) }
          let text = text(of: field, definition)
          field.arguments.append(
            Argument(
              name: Name(Self.argument), value: Value(.string(StringValue(text)), span: field.span), span: field.span))
          return .field(field)
        case .inlineFragment(var fragment):
          let type = fragment.typeCondition.map { schema.type(named: $0.value) } ?? type
          fragment.selectionSet = written(fragment.selectionSet, on: type)
          return .inlineFragment(fragment)
        case .fragmentSpread: return selection
        }
      }, span: selectionSet.span)
  }

  private func text(of field: Field, _ definition: FieldDefinition) -> String {
    let targets = (nullability.targets(of: field, definition.type) ?? []).map { $0?.rawValue ?? "" }
    return targets.joined(separator: ",") + (nullability.requiredAction(of: field).map { "!\($0)" } ?? "")
  }
}
