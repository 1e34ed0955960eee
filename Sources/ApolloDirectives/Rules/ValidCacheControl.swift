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
    let ofType = cacheControl.directives(of: type), ofFields = cacheControl.fieldDirectives(of: type)
    let named = type.directives.filter { cacheControl.fieldNames.contains($0.name.value) }
    if ofType.isEmpty, ofFields.isEmpty, named.isEmpty { return [] }
    let problems = (ofType + ofFields.map(\.directive)).compactMap { directive in
      AgeProblem(directive, isInOperation: false).map {
        Diagnostic(.invalidCacheControl, $0.message, at: directive.span, help: $0.help)
      }
    }
    var repetitions = repetition(of: ofType, about: type.name).map { [$0] } ?? []
    for field in type.fields ?? NamedList() {
      let directives = ofFields.filter { $0.field == field.name.value }.map(\.directive)
      repetition(of: directives, about: "\(type.name).\(field.name)").map { repetitions.append($0) }
    }
    return named.compactMap(unknownField) + problems + repetitions + ofType.compactMap(ineffective)
      + ofFields.compactMap { ineffective($0.directive, field: $0.field) }
  }

  private func unknownField(_ directive: Directive) -> Diagnostic? {
    guard case .string(let name)? = directive.argument("name")?.kind else {
      return Diagnostic(
        .invalidCacheControl, "@\(directive.name) needs the name of a field.", at: directive.span,
        help: "Write @\(directive.name)(name: \"…\", maxAge: 60).")
    }
    let fields = type.fields ?? NamedList()
    guard !fields.contains(name.value) else { return nil }
    return Diagnostic(
      .invalidCacheControl, "The type \"\(type.name)\" has no field \"\(name.value)\" to have an age.",
      at: directive.span,
      help: Suggestions.didYouMean(Suggestions.similar(to: name.value, among: fields.map(\.name.value))))
  }

  /// A directive with a scope alone, which is for servers, may stand beside one with an age.
  private func repetition(of directives: [Directive], about what: String) -> Diagnostic? {
    let withAges = directives.filter { DeclaredAge($0) != nil }
    guard withAges.count > 1 else { return nil }
    return Diagnostic(
      .invalidCacheControl, "\"\(what)\" has more than one age.", at: withAges[1].span,
      labels: [.init("the first is here", at: withAges[0].span)], help: "Remove one of them.")
  }

  // MARK: - Directives without effect

  private func ineffective(_ directive: Directive) -> Diagnostic? {
    guard let age = DeclaredAge(directive) else { return nil }
    if !cacheControl.isCached(type) { return ineffectiveRoot(directive) }
    guard age == .inherited, type.name == schema.queryType?.name else { return nil }
    return Diagnostic(ineffective: directive, because: "There is nothing around the root of queries to inherit from.")
  }

  private func ineffective(_ directive: Directive, field name: String) -> Diagnostic? {
    guard let age = DeclaredAge(directive), let field = type.fields?[name] else { return nil }
    if !cacheControl.isCached(type) { return ineffectiveRoot(directive) }
    guard age == .inherited, schema.type(of: field.type)?.isLeaf == true,
      cacheControl.sources(ofField: name, on: type, includingOwn: false).isEmpty
    else { return nil }
    return Diagnostic(ineffective: directive, because: "\"\(name)\" is a leaf, which has the age of its object anyway.")
  }

  private func ineffectiveRoot(_ directive: Directive) -> Diagnostic {
    let root = type.name == schema.mutationType?.name ? "mutation" : "subscription"
    return Diagnostic(ineffective: directive, because: "What a \(root) returns is not read from the cache.")
  }
}

extension DirectiveRule {
  /// The ages that a type and its fields get from interfaces do not contradict each other.
  static let agreeingInterfaceAges = DirectiveRule { context in
    let cacheControl = context.directives.cacheControl
    return context.schema.definedTypes.filter { !$0.interfaces.isEmpty && cacheControl.isCached($0) }.flatMap { type in
      let ofType = contradiction(about: type, in: context.schema, by: \.age, cacheControl.sources(ofType:)).map {
        Diagnostic(contradiction: $0, about: type.name, at: type, fix: "@cacheControl(maxAge: …)")
      }
      let ofFields = (type.fields ?? NamedList()).compactMap { field -> Diagnostic? in
        let name = field.name.value
        return contradiction(about: type, in: context.schema, by: \.age) { cacheControl.sources(ofField: name, on: $0) }
          .map {
            Diagnostic(
              contradiction: $0, about: "\(type.name).\(name)", at: type,
              fix: "@cacheControlField(name: \"\(name)\", maxAge: …)")
          }
      }
      return (ofType.map { [$0] } ?? []) + ofFields
    }
  }
}

extension Diagnostic {
  fileprivate init(
    contradiction sources: (AgeSource, AgeSource), about what: String, at type: NamedType, fix: String
  ) {
    let (first, other) = sources
    self.init(
      .conflictingCacheControl,
      "\"\(what)\" may be \(first.age.text) as a \"\(first.type)\", and \(other.age.text) as a \"\(other.type)\".",
      at: type.definition.name.span,
      labels: [
        .init("as a \"\(first.type)\"", at: first.directive.span),
        .init("as a \"\(other.type)\"", at: other.directive.span),
      ],
      help: "Give it an age of its own: extend \(type.definition.body.kindName == "interface" ? "interface" : "type") "
        + "\(type.name) \(fix)")
  }

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
