import GraphQLSchema
import GraphQLSyntax

extension DirectiveRule {
  /// `@cacheControl` and `@cacheControlField` in a schema give one age to types and fields that there are.
  static let validCacheControl = DirectiveRule { context in
    let cacheControl = context.directives.cacheControl
    return context.schema.definedTypes.filter(\.isComposite).flatMap { type in
      CacheControlCheck(schema: context.schema, cacheControl: cacheControl, type: type).diagnostics
    }
  }
}

private struct CacheControlCheck {
  let schema: Schema
  let cacheControl: CacheControl
  let type: NamedType

  var diagnostics: [Diagnostic] {
    let ofType = cacheControl.directives(of: type), ofFields = cacheControl.fields.directives(of: type)
    let named = cacheControl.fields.directivesOnType(type)
    if ofType.isEmpty, ofFields.isEmpty, named.isEmpty { return [] }
    let problems = (ofType + ofFields.map(\.directive)).compactMap { directive in
      DirectiveProblem(ofAge: directive, isInOperation: false).map {
        Diagnostic(.invalidCacheControl, $0, at: directive)
      }
    }
    var repetitions = repetition(of: ofType, about: type.name).map { [$0] } ?? []
    let byField = Dictionary(grouping: ofFields, by: \.field)
    for field in type.fields ?? NamedList() {
      let directives = byField[field.name.value, default: []].map(\.directive)
      repetition(of: directives, about: "\(type.name).\(field.name)").map { repetitions.append($0) }
    }
    return named.compactMap(unknownField) + problems + repetitions + ofType.compactMap(ineffective)
      + ofFields.compactMap { ineffective($0.directive, field: $0.field) }
  }

  private func unknownField(_ directive: Directive) -> Diagnostic? {
    guard let name = directive.text("name") else {
      return Diagnostic(
        .invalidCacheControl, "@\(directive.name) needs the name of a field.", at: directive.span,
        help: "Write @\(directive.name)(name: \"…\", maxAge: 60).")
    }
    if type.fields?.contains(name) == true { return nil }
    return Diagnostic(
      .invalidCacheControl, "The type \"\(type.name)\" has no field \"\(name)\" to have an age.",
      at: directive.span, help: type.suggestion(for: name))
  }

  /// A directive with a scope alone, which is for servers, may stand beside one with an age.
  private func repetition(of directives: [Directive], about what: @autoclosure () -> String) -> Diagnostic? {
    DirectiveRule.repetition(
      of: directives.filter { DeclaredAge($0) != nil }, .invalidCacheControl, "\"\(what())\" has more than one age.")
  }

  // MARK: - Directives without effect

  private func ineffective(_ directive: Directive) -> Diagnostic? {
    guard let age = DeclaredAge(directive) else { return nil }
    if !schema.isCached(type) { return ineffectiveRoot(directive) }
    guard age == .inherited, type.name == schema.queryType?.name else { return nil }
    return ineffective(directive, because: "There is nothing around the root of queries to inherit from.")
  }

  private func ineffective(_ directive: Directive, field name: String) -> Diagnostic? {
    guard let age = DeclaredAge(directive), let field = type.fields?[name] else { return nil }
    if !schema.isCached(type) { return ineffectiveRoot(directive) }
    guard age == .inherited, schema.type(of: field.type)?.isLeaf == true,
      cacheControl.fields.of(name, on: type, includingOwn: false).isEmpty
    else { return nil }
    return ineffective(directive, because: "\"\(name)\" is a leaf, which has the age of its object anyway.")
  }

  private func ineffectiveRoot(_ directive: Directive) -> Diagnostic {
    let root = type.name == schema.mutationType?.name ? "mutation" : "subscription"
    return ineffective(directive, because: "What a \(root) returns is not read from the cache.")
  }

  /// A warning for an app. About what a server says in its own schema, where an app cannot change it, it is a note.
  private func ineffective(_ directive: Directive, because reason: String) -> Diagnostic {
    var finding = Diagnostic(ineffective: directive, because: reason)
    if isOfServer(directive) { finding.severity = .note }
    return finding
  }

  /// Whether it is a `@cacheControl` in the definition of the type, which servers write. Apps write extensions, and
  /// `@cacheControlField`.
  private func isOfServer(_ directive: Directive) -> Bool {
    let definition = type.span, place = directive.span
    return cacheControl.names.contains(directive.name.value) && place.source == definition.source
      && place.start >= definition.start && place.end <= definition.end
  }
}

extension DirectiveRule {
  /// The ages that a type and its fields get from interfaces do not contradict each other.
  static let agreeingInterfaceAges = DirectiveRule { context in
    let cacheControl = context.directives.cacheControl, schema = context.schema
    return schema.definedTypes.filter { !$0.interfaces.isEmpty && schema.isCached($0) }.flatMap { type in
      func contradiction(
        about what: @autoclosure () -> String, fix: @autoclosure () -> String,
        _ statements: (NamedType) -> [Statement<DeclaredAge>]
      ) -> Diagnostic? {
        Self.contradiction(
          about: type, in: schema, .conflictingCacheControl, advice: ("Give it an age of its own", fix()), statements
        ) { first, other in
          "\"\(what())\" may be \(first.value.text) as a \"\(first.type)\", and \(other.value.text) as a \"\(other.type)\"."
        }
      }
      let ofType = contradiction(
        about: type.name, fix: "@cacheControl(maxAge: …)", cacheControl.statements(aboutType:))
      let ofFields = (type.fields ?? NamedList()).map(\.name.value).compactMap { name in
        contradiction(about: "\(type.name).\(name)", fix: "@cacheControlField(name: \"\(name)\", maxAge: …)") {
          cacheControl.fields.of(name, on: $0)
        }
      }
      return (ofType.map { [$0] } ?? []) + ofFields
    }
  }
}

extension Diagnostic {
  /// A warning that a directive has no effect.
  init(ineffective directive: Directive, because reason: String) {
    self.init(
      .ignoredCacheControl, severity: .warning, "@\(directive.name) has no effect here. \(reason)", at: directive.span)
  }
}

extension DeclaredAge {
  /// How old a value may be, in words.
  var text: String {
    switch self {
    case .seconds(1): "1 second old"
    case .seconds(let seconds): "\(seconds) seconds old"
    case .inherited: "as old as its parent"
    }
  }
}
