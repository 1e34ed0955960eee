import GraphQLSchema
import GraphQLSyntax

/// Finds how old values may be, and which are for one user: what `@cacheControl` and `@cacheControlField` say on types and
/// fields of the schema, and on fields of operations.
///
/// What is said most closely counts: the operation's directive; the field's, on the type that it is selected on or on an
/// interface of that type; and for fields with objects, that of their type.
struct CacheControl {
  /// The names of `@cacheControl` in the schema.
  let names: Set<String>
  /// What types say of their fields.
  let fields: FieldStatements<DeclaredAge>
  private let schema: Schema
  /// What types say of their objects, by name.
  private var types: [String: Statement<DeclaredAge>] = [:]
  /// The types whose objects are for one user.
  private var privateTypes: Set<String> = []
  /// The fields whose values are for one user, by the names of their types.
  private var privateFields: [String: Set<String>] = [:]

  /// Reads the directives of a schema.
  init(schema: Schema) {
    self.schema = schema
    names = PolicyDirective.cacheControl.names(in: schema)
    fields = FieldStatements(.cacheControl, .cacheControlField, in: schema) { type, directive in
      schema.isCached(type) ? DeclaredAge(directive) : nil
    }
    for type in schema.definedTypes where type.isComposite {
      if directives(of: type).contains(where: \.isPrivate) { privateTypes.insert(type.name) }
      let fields = fields.directives(of: type).filter(\.directive.isPrivate).map(\.field)
      if !fields.isEmpty { privateFields[type.name] = Set(fields) }
      guard schema.isCached(type) else { continue }
      types[type.name] =
        directives(of: type).lazy.compactMap { directive in
          DeclaredAge(directive).map { Statement(type: type.name, value: $0, directive: directive) }
        }.first
    }
  }

  // MARK: - What is written

  /// The directives for the age of the objects of a type, in its definition and its extensions.
  func directives(of type: NamedType) -> [Directive] {
    type.directives.filter { names.contains($0.name.value) }
  }

  // MARK: - What it means

  /// What counts for the objects of a type: what the type itself says, or else its interfaces. If interfaces contradict
  /// each other, there are several.
  func statements(aboutType type: NamedType) -> [Statement<DeclaredAge>] {
    types.isEmpty ? [] : schema.statements(about: type) { types[$0] }
  }

  /// What the fields of a type say of their ages, in the order of the schema.
  func fieldAges(of type: NamedType) -> [(field: String, age: DeclaredAge)] {
    guard !fields.isEmpty, schema.isCached(type) else { return [] }
    return (type.fields ?? NamedList()).map(\.name.value).compactMap { field in
      fields.of(field, on: type).first.map { (field, $0.value) }
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
  private func isPrivate(_ field: String, type: NamedType, on types: [NamedType]) -> Bool {
    if isPrivate(type) { return true }
    guard !privateFields.isEmpty else { return false }
    return types.contains { related(to: $0).contains { privateFields[$0]?.contains(field) == true } }
  }

  private func related(to type: NamedType) -> [String] {
    [type.name] + type.interfaces.map(\.value) + schema.possibleTypes(of: type).map(\.name)
  }

  /// Whether operations or fragments say how old fields may be.
  func isUsed(in document: Document) -> Bool {
    func hasAge(_ selection: Selection) -> Bool {
      if case .field(let field) = selection { directive(on: field) != nil } else { false }
    }
    return document.operations.contains { $0.selectionSet.contains(where: hasAge) }
      || document.fragments.contains { $0.selectionSet.contains(where: hasAge) }
  }

  /// The first directive of an operation for the age of a field; nil if there is none.
  func directive(on field: Field) -> Directive? { field.directives.first { names.contains($0.name.value) } }

  /// What an operation says about the age of a field; nil if it says nothing.
  func age(of field: Field) -> DeclaredAge? {
    guard !field.directives.isEmpty else { return nil }
    return field.directives.lazy.filter { names.contains($0.name.value) }.compactMap { DeclaredAge($0) }.first
  }

  /// What the schema says about the age of a field.
  ///
  /// - Parameters:
  ///   - field: The name of the field.
  ///   - types: The types that the object is known to satisfy, the narrowest last.
  /// - Returns: What it says; nil if it says nothing.
  func age(ofField field: String, on types: [NamedType]) -> DeclaredAge? {
    fields.isEmpty
      ? nil : types.reversed().lazy.compactMap { fields.of(field, on: $0).first?.value }.first
  }

  /// How old the value of a field may be, and whether it is for one user.
  ///
  /// - Parameters:
  ///   - field: The name of the field.
  ///   - type: The named type of the field.
  ///   - types: The types that the object is known to satisfy, the narrowest last.
  ///   - operationAge: What the operation says.
  ///   - parentAge: The age that types say of the object, in seconds.
  /// - Returns: The age.
  func age(
    ofField field: String, type: NamedType, on types: [NamedType], operationAge: DeclaredAge?, parentAge: Int?
  ) -> FieldAge {
    let mark = mark(ofField: field, type: type, on: types, operationAge: operationAge)
    let isOfParent = mark == .inherited || (mark == nil && type.isLeaf)
    return FieldAge(
      mark: mark, parent: isOfParent ? parentAge : nil, isPrivate: isPrivate(field, type: type, on: types))
  }

  /// The mark of a field in a field table; nil if there is none.
  private func mark(
    ofField field: String, type: NamedType, on types: [NamedType], operationAge: DeclaredAge?
  ) -> FieldAge.Mark? {
    if types.allSatisfy(schema.isCached), !field.hasPrefix("__"),
      let age = operationAge ?? age(ofField: field, on: types)
    {
      switch age {
      case .seconds(let seconds): return .own(seconds)
      case .inherited: return type.isComposite ? .inherited : nil
      }
    }
    guard type.isComposite else { return nil }
    return switch statements(aboutType: type).first?.value {
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

extension Schema {
  /// Whether objects of a type are read from the cache by the age of their fields: the roots of mutations and
  /// subscriptions are not.
  func isCached(_ type: NamedType) -> Bool {
    type.name == queryType?.name || (type.name != mutationType?.name && type.name != subscriptionType?.name)
  }
}
