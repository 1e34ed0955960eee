import GraphQLSyntax

extension Schema {
  /// The differences of a newer version of a schema, in the order of the older one. Additions come last.
  ///
  /// The severities are those of the reference implementation. In addition, these changes are breaking: a root type
  /// that changes, an argument or input field that becomes required as it loses its default value, and an input object
  /// that becomes `@oneOf`.
  public static func compare(_ old: Schema, _ new: Schema) -> [SchemaChange] {
    var comparison = SchemaComparison()
    comparison.compareRootTypes(old, new)
    comparison.compareDescriptions(
      old.definition?.description, new.definition?.description, of: "", at: new.definition?.span)
    comparison.compareTypes(old, new)
    comparison.compareDirectives(old, new)
    return comparison.changes
  }
}

/// Collects the differences between two schemas.
struct SchemaComparison {
  private(set) var changes: [SchemaChange] = []

  mutating func add(
    _ kind: SchemaChange.Kind, _ severity: SchemaChange.Severity, of coordinate: String, message: String,
    at span: SourceSpan?
  ) {
    changes.append(
      SchemaChange(
        kind, severity: severity, coordinate: coordinate, message: message, at: span ?? .none))
  }

  /// Calls back for what is only in one list, and for what is in both. Of two with one name, the first counts.
  mutating func compare<Element>(
    _ old: [Element], _ new: [Element], by name: (Element) -> String,
    removed: (inout SchemaComparison, Element) -> Void, kept: (inout SchemaComparison, Element, Element) -> Void,
    added: (inout SchemaComparison, Element) -> Void
  ) {
    var oldNames: Set<String> = []
    let old = old.filter { oldNames.insert(name($0)).inserted }
    let newByName = Dictionary(new.map { (name($0), $0) }) { first, _ in first }
    for element in old {
      if let counterpart = newByName[name(element)] {
        kept(&self, element, counterpart)
      } else {
        removed(&self, element)
      }
    }
    for element in new where oldNames.insert(name(element)).inserted { added(&self, element) }
  }

  mutating func compareRootTypes(_ old: Schema, _ new: Schema) {
    for operation in OperationType.allCases {
      let root = new.rootType(for: operation)
      switch (old.rootType(for: operation)?.name, root?.name) {
      case (let old?, let new?) where old != new:
        add(
          .rootTypeChanged, .breaking, of: new,
          message: "The \(operation.rawValue) root type changed from \(old) to \(new).",
          at: root?.span)
      case (let old?, nil):
        add(
          .rootTypeRemoved, .breaking, of: old, message: "The schema no longer supports \(operation.plural).",
          at: new.definition?.span)
      case (nil, let new?):
        add(.rootTypeAdded, .safe, of: new, message: "The schema now supports \(operation.plural).", at: root?.span)
      default: break
      }
    }
  }

  // MARK: - What many things have

  mutating func compareDescriptions(
    _ old: StringValue?, _ new: StringValue?, of coordinate: String, at span: SourceSpan?
  ) {
    guard old.map({ ExactText($0.value) }) != new.map({ ExactText($0.value) }) else { return }
    let subject = coordinate.isEmpty ? "the schema" : coordinate
    add(
      .descriptionChanged, .safe, of: coordinate, message: "The description of \(subject) changed.",
      at: new?.span ?? span)
  }

  mutating func compareDeprecations(
    _ old: some Deprecatable, _ new: some Deprecatable, of coordinate: String, at span: SourceSpan
  ) {
    switch (old.deprecationReason, new.deprecationReason) {
    case (nil, let reason?):
      add(.deprecationAdded, .safe, of: coordinate, message: "\(coordinate) was deprecated: \(reason)", at: span)
    case (_?, nil):
      add(.deprecationRemoved, .safe, of: coordinate, message: "\(coordinate) is no longer deprecated.", at: span)
    case (let old?, let new?) where ExactText(old) != ExactText(new):
      add(
        .deprecationReasonChanged, .safe, of: coordinate,
        message: "The reason to deprecate \(coordinate) changed: \(new)", at: span)
    default: break
    }
  }
}

extension OperationType {
  fileprivate var plural: String {
    switch self {
    case .query: "queries"
    case .mutation: "mutations"
    case .subscription: "subscriptions"
    }
  }
}
