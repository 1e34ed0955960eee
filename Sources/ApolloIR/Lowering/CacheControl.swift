package import GraphQLSchema
package import GraphQLSyntax

/// Finds how old values may be, and which are for one user: what `@cacheControl` and `@cacheControlField` say on types and
/// fields of the schema, and on fields of operations.
///
/// What is said most closely counts: the operation's directive; the field's, on the type that it is selected on or on an
/// interface of that type; and for fields with objects, that of their type.
package struct CacheControl {
  /// The names of `@cacheControl` in the schema.
  package let names: Set<String>
  /// The names of `@cacheControlField` in the schema.
  package let fieldNames: Set<String>
  private let schema: Schema
  /// What types say of their objects, by name.
  private var types: [String: AgeSource] = [:]
  /// What types say of their fields, by the names of both.
  private var fields: [String: [String: AgeSource]] = [:]
  /// The types whose objects are for one user.
  private var privateTypes: Set<String> = []
  /// The fields whose values are for one user, by the names of their types.
  private var privateFields: [String: Set<String>] = [:]

  /// Reads the directives of a schema.
  package init(schema: Schema) {
    self.schema = schema
    names = PolicyDirective.cacheControl.names(in: schema)
    fieldNames = PolicyDirective.cacheControlField.names(in: schema)
    for type in schema.definedTypes where type.isComposite {
      if directives(of: type).contains(where: \.isPrivate) { privateTypes.insert(type.name) }
      let fields = fieldDirectives(of: type).filter(\.directive.isPrivate).map(\.field)
      if !fields.isEmpty { privateFields[type.name] = Set(fields) }
    }
    for type in schema.definedTypes where type.isComposite && isCached(type) {
      types[type.name] = source(ofType: type)
      for (field, directive) in fieldDirectives(of: type) where fields[type.name]?[field] == nil {
        guard let age = DeclaredAge(directive) else { continue }
        fields[type.name, default: [:]][field] = AgeSource(type: type.name, age: age, directive: directive)
      }
    }
  }

  /// Whether objects of a type are read from the cache by the age of their fields: the roots of mutations and
  /// subscriptions are not.
  package func isCached(_ type: NamedType) -> Bool {
    type.name == schema.queryType?.name
      || (type.name != schema.mutationType?.name && type.name != schema.subscriptionType?.name)
  }

  // MARK: - What is written

  /// The directives for the age of the objects of a type, in its definition and its extensions.
  package func directives(of type: NamedType) -> [Directive] {
    type.directives.filter { names.contains($0.name.value) }
  }

  /// The directives for the ages of the fields of a type, with the names of the fields: those of their definitions, then
  /// those that name them.
  package func fieldDirectives(of type: NamedType) -> [(field: String, directive: Directive)] {
    type.directives(onFields: names, namingFields: fieldNames)
  }

  private func source(ofType type: NamedType) -> AgeSource? {
    directives(of: type).lazy.compactMap { directive in
      DeclaredAge(directive).map { AgeSource(type: type.name, age: $0, directive: directive) }
    }.first
  }

  // MARK: - What it means

  /// What counts for the objects of a type: what the type itself says, or else its interfaces. If interfaces contradict
  /// each other, there are several.
  package func sources(ofType type: NamedType) -> [AgeSource] {
    types.isEmpty ? [] : schema.statements(about: type) { types[$0] }
  }

  /// What counts for a field of a type: what the type itself says, or else its interfaces. If interfaces contradict
  /// each other, there are several.
  ///
  /// - Parameters:
  ///   - field: The name of the field.
  ///   - type: The type.
  ///   - includingOwn: Whether it counts what the type itself says. The default is true.
  /// - Returns: What counts.
  package func sources(ofField field: String, on type: NamedType, includingOwn: Bool = true) -> [AgeSource] {
    fields.isEmpty ? [] : schema.statements(about: type, includingOwn: includingOwn) { fields[$0]?[field] }
  }

  /// The age that a type declares for its objects, in seconds; nil if it declares none.
  func seconds(ofType type: NamedType) -> Int? {
    if case .seconds(let seconds)? = sources(ofType: type).first?.age { seconds } else { nil }
  }

  /// What the fields of a type say of their ages, in the order of the schema.
  func fieldAges(of type: NamedType) -> [ObjectType.FieldMaxAge] {
    guard !fields.isEmpty, isCached(type) else { return [] }
    return (type.fields ?? NamedList()).map(\.name.value).compactMap { field in
      sources(ofField: field, on: type).first.map { ObjectType.FieldMaxAge(name: field, age: $0.age) }
    }
  }

  /// Whether objects that are selected on a type may be for one user: by the type, by one of its interfaces, or by a type
  /// that they may have.
  func isPrivate(_ type: NamedType) -> Bool {
    !privateTypes.isEmpty && related(to: type).contains { privateTypes.contains($0) }
  }

  /// Whether the value of a field may be for one user: by the field, or by the type of the objects that it leads to.
  ///
  /// - Parameters:
  ///   - field: The name of the field.
  ///   - type: The named type of the field.
  ///   - types: The types that the object is known to satisfy.
  /// - Returns: Whether it may be.
  func isPrivate(_ field: String, type: NamedType, on types: [NamedType]) -> Bool {
    if isPrivate(type) { return true }
    guard !privateFields.isEmpty else { return false }
    return types.contains { related(to: $0).contains { privateFields[$0]?.contains(field) == true } }
  }

  private func related(to type: NamedType) -> [String] {
    [type.name] + type.interfaces.map(\.value) + schema.possibleTypes(of: type).map(\.name)
  }

  /// What an operation says about the age of a field; nil if it says nothing.
  package func age(of field: Field) -> DeclaredAge? {
    guard !field.directives.isEmpty else { return nil }
    return field.directives.lazy.filter { names.contains($0.name.value) }.compactMap { DeclaredAge($0) }.first
  }

  /// What the schema says about the age of a field.
  ///
  /// - Parameters:
  ///   - field: The name of the field.
  ///   - types: The types that the object is known to satisfy, the narrowest last.
  /// - Returns: What it says; nil if it says nothing.
  package func age(ofField field: String, on types: [NamedType]) -> DeclaredAge? {
    fields.isEmpty
      ? nil : types.reversed().lazy.compactMap { sources(ofField: field, on: $0).first?.age }.first
  }

  /// The mark of a field in a field table.
  ///
  /// - Parameters:
  ///   - field: The name of the field.
  ///   - type: The named type of the field.
  ///   - types: The types that the object is known to satisfy, the narrowest last.
  ///   - operationAge: What the operation says.
  /// - Returns: The mark; nil if there is none.
  func mark(
    ofField field: String, type: NamedType, on types: [NamedType], operationAge: DeclaredAge?
  ) -> FieldAge.Mark? {
    if types.allSatisfy(isCached), !field.hasPrefix("__"), let age = operationAge ?? age(ofField: field, on: types) {
      switch age {
      case .seconds(let seconds): return .own(seconds)
      case .inherited: return type.isComposite ? .inherited : nil
      }
    }
    guard type.isComposite else { return nil }
    return switch sources(ofType: type).first?.age {
    case .seconds(let seconds): .type(seconds)
    case .inherited: .inherited
    case nil: nil
    }
  }
}

extension Directive {
  /// Whether it says that a value is for one user.
  fileprivate var isPrivate: Bool {
    switch argument("scope")?.kind {
    case .enum("PRIVATE"): true
    case .string(let text): text.value == "PRIVATE"
    default: false
    }
  }
}

extension Document {
  /// Whether a field of an operation or fragment has one of these directives.
  package func hasField(withDirectives names: Set<String>) -> Bool {
    operations.contains { $0.selectionSet.hasField(withDirectives: names) }
      || fragments.contains { $0.selectionSet.hasField(withDirectives: names) }
  }
}

extension SelectionSet {
  fileprivate func hasField(withDirectives names: Set<String>) -> Bool {
    selections.contains { selection in
      switch selection {
      case .field(let field):
        field.directives.contains { names.contains($0.name.value) }
          || field.selectionSet?.hasField(withDirectives: names) ?? false
      case .inlineFragment(let fragment): fragment.selectionSet.hasField(withDirectives: names)
      case .fragmentSpread: false
      }
    }
  }
}
