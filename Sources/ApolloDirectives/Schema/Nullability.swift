import GraphQLSchema
package import GraphQLSyntax

/// What a model has in place of a value that is null because of an error.
package enum CatchTarget: String, Sendable, CaseIterable {
  /// A `FieldResult`: the value or the error.
  case result = "RESULT"
  /// nil.
  case null = "NULL"
  /// Nothing: the nearest value around it that catches errors has the error.
  case thrown = "THROW"
}

/// What happens to the object of a field with `@required` that is null.
public enum RequiredAction: String, Sendable, CaseIterable {
  /// It is null as well.
  case none = "NONE"
  /// It is null as well, and that is logged.
  case log = "LOG"
  /// It counts as an error of the field.
  case thrown = "THROW"
}

/// What stands for a value in a model: for that of a field, or for the elements at one level of its lists.
package struct NullForm: Sendable, Hashable {
  /// Whether it may be nil.
  package var isNullable: Bool
  /// Whether it may be an error.
  package var isResult = false
  /// Whether it may be null, and errors are thrown to what is around the null: a result, or another value.
  package var throwsErrors = false

  package init(isNullable: Bool) { self.isNullable = isNullable }
}

/// What a schema and its operations say about nulls: `@semanticNonNull`, `@catch` and `@catchByDefault`
/// ([nullability v0.4](https://specs.apollo.dev/nullability/v0.4)).
struct Nullability {
  /// What fields do by default. nil: the schema does not opt in, so that models have the nulls of the schema.
  let schemaDefault: CatchTarget?
  /// The levels of fields that are null only if there is an error.
  let semantic: FieldStatements<[Int]>
  /// What the schema calls `@catch` and `@catchByDefault`, and Relay's `@required` and `@throwOnFieldError`. A directive
  /// that it declares for operations itself is one of the server, unless the schema opts in.
  let catchNames, defaultNames, requiredNames, throwNames: Set<String>

  /// Reads the directives of a schema.
  init(schema: Schema) {
    let names = PolicyDirective.catchByDefault.names(in: schema)
    func undeclared(_ names: Set<String>) -> Set<String> { names.filter { schema.directive(named: $0) == nil } }
    schemaDefault = schema.directives.first { names.contains($0.name.value) }.flatMap(CatchTarget.init)
    catchNames = PolicyDirective.catch.names(in: schema)
    requiredNames = undeclared(["required"])
    throwNames = undeclared(["throwOnFieldError"])
    semantic = FieldStatements(.semanticNonNull, .semanticNonNullField, in: schema) { _, directive in
      directive.levels.map { $0.compactMap(\.number) } ?? [0]
    }
    defaultNames = names
  }

  /// What an operation or a fragment says about the errors of its fields; nil if it says nothing.
  func ownDefault(_ directives: [Directive]) -> CatchTarget? {
    for directive in directives {
      if defaultNames.contains(directive.name.value) { return CatchTarget(directive) }
      if throwNames.contains(directive.name.value) { return .thrown }
    }
    return nil
  }

  /// Writes what an operation or a fragment says about errors on its fields.
  ///
  /// - Parameters:
  ///   - selectionSet: The selections of the operation or fragment.
  ///   - directives: Its directives.
  /// - Returns: The selections, in which each field can be understood by itself.
  func marked(_ selectionSet: SelectionSet, by directives: [Directive]) -> SelectionSet {
    guard let target = ownDefault(directives) else { return selectionSet }
    let argument = Argument(
      name: "to", value: Value(.enum(target.rawValue), span: selectionSet.span), span: selectionSet.span)
    let mark = Directive(name: Name(Self.ownDefaultMark), arguments: [argument])
    return selectionSet.mapFields { $0.directives.append(mark) }
  }

  /// What becomes of the errors of a field and of the elements of its lists, from the outside in.
  ///
  /// - Parameters:
  ///   - field: The field, on which its operation or fragment has written what it says.
  ///   - type: The type of the field.
  /// - Returns: One target for each level, nil for one that cannot be null, also because of `@required`; nil if neither the
  ///   schema nor the document opts in.
  func targets(of field: Field, _ type: TypeReference) -> [CatchTarget?]? {
    let own = field.directives.first(named: Self.ownDefaultMark).flatMap(CatchTarget.init)
    guard let target = own ?? schemaDefault else { return nil }
    let explicit = field.directives.first { catchNames.contains($0.name.value) }
    let caught = explicit.map { Set($0.levels?.compactMap(\.number) ?? [0]) } ?? []
    let isRequired = requiredAction(of: field) != nil
    return type.nullableLevels.enumerated().map { level, isNullable in
      if caught.contains(level) { return explicit.flatMap(CatchTarget.init) }
      return isNullable && !(isRequired && level == 0) ? target : nil
    }
  }

  /// What stands for the value of a field and for the elements of its lists, from the outside in.
  ///
  /// - Parameters:
  ///   - field: The field, on which its operation or fragment has written what it says.
  ///   - definition: The definition of the field.
  ///   - types: The types that the object is known to satisfy.
  /// - Returns: One form for each level; nil if the field has the nulls of the schema.
  func forms(of field: Field, _ definition: FieldDefinition, on types: [NamedType]) -> [NullForm]? {
    guard let targets = targets(of: field, definition.type) else { return nil }
    let semantic = Set(types.flatMap { self.semantic.of(field.name.value, on: $0).flatMap(\.value) })
    let levels = zip(targets, definition.type.nullableLevels)
    return levels.enumerated().map { level, form in
      let (target, isNullable) = form
      var form = NullForm(isNullable: isNullable && !semantic.contains(level))
      switch target {
      case .result?: (form.isResult, form.throwsErrors) = (true, form.isNullable)
      case .null?: form.isNullable = true
      case .thrown?: form.throwsErrors = form.isNullable
      case nil: break
      }
      return form
    }
  }

  /// The levels at which a field of a type is null only if there is an error.
  func semanticLevels(of field: String, on type: NamedType) -> Set<Int> {
    schemaDefault == nil ? [] : Set(semantic.of(field, on: type).flatMap(\.value))
  }

  /// The names of the directives on fields, which no server knows.
  var fieldNames: Set<String> { catchNames.union(requiredNames).union([Self.ownDefaultMark]) }
  /// The names of the directives on operations and fragments, which no server knows.
  var definitionNames: Set<String> { defaultNames.union(throwNames) }

  /// What happens if a field is null; nil if it may be.
  func requiredAction(of field: Field) -> RequiredAction? {
    guard let directive = field.directives.first(where: { requiredNames.contains($0.name.value) }),
      case .enum(let action)? = directive.argument("action")?.kind
    else { return nil }
    return RequiredAction(rawValue: action)
  }

  /// (Names of a schema do not begin with two underscores.)
  private static let ownDefaultMark = "__catchByDefault"
}

extension CatchTarget {
  /// What a directive catches to; `RESULT` if it does not say it, and nil if what it says is not valid.
  init?(_ directive: Directive) {
    switch directive.argument("to")?.kind {
    case .enum(let name)?: self.init(rawValue: name)
    case nil: self = .result
    default: return nil
    }
  }
}

extension Directive {
  /// The `levels` of the directive; nil if it has none.
  var levels: [Value]? {
    switch argument("levels")?.kind {
    case .list(let values)?: values
    case .int?: argument("levels").map { [$0] }
    default: nil
    }
  }
}

extension Value {
  /// A number; nil for anything else.
  var number: Int? { if case .int(let digits) = kind { Int(digits) } else { nil } }
}

extension TypeReference {
  /// Whether the type, and those of the elements of its lists, may be null: from the outside in.
  package var nullableLevels: [Bool] {
    if case .list(let element) = kind { [!isNonNull] + element.nullableLevels } else { [!isNonNull] }
  }
}
