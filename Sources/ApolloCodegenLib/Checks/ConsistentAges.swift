import ApolloIR
import GraphQLSchema
import GraphQLSyntax

extension ClientRule {
  /// Selections of one field that are merged do not have different ages. It is for documents that are valid otherwise.
  static let consistentAges = ClientRule { context in
    let cacheControl = CacheControl(schema: context.schema)
    guard context.document.hasField(withDirectives: cacheControl.names) else { return [] }
    var check = MergedAgeCheck(schema: context.schema, cacheControl: cacheControl, document: context.document)
    for operation in context.document.operations {
      guard let root = context.schema.rootType(for: operation.operation) else { continue }
      check.visit([.init(selectionSet: operation.selectionSet, type: .object(root))])
    }
    for fragment in context.document.fragments {
      guard let type = context.schema.type(named: fragment.typeCondition.value) else { continue }
      check.visit([.init(selectionSet: fragment.selectionSet, type: type)])
    }
    return check.diagnostics
  }
}

private struct MergedAgeCheck {
  /// Selections on an object.
  struct Part {
    var selectionSet: SelectionSet
    var type: NamedType
    /// The types on which the fields around it are selected.
    var path: [NamedType] = []
  }

  /// A field in one of the places where it is selected.
  private struct Place {
    var field: Field
    /// The types on which the field and those around it are selected.
    var path: [NamedType]

    var identity: Identity { Identity(span: field.span, path: path) }

    struct Identity: Hashable {
      var span: SourceSpan
      var path: [NamedType]
    }
  }

  private let schema: Schema
  private let cacheControl: CacheControl
  private let fragments: [String: FragmentDefinition]
  /// The fragments with ages, in them or in fragments that they spread.
  private var speaking: Set<String> = []
  private var reported: Set<SourceSpan> = []
  private(set) var diagnostics: [Diagnostic] = []

  init(schema: Schema, cacheControl: CacheControl, document: Document) {
    self.schema = schema
    self.cacheControl = cacheControl
    fragments = Dictionary(document.fragments.map { ($0.name.value, $0) }) { first, _ in first }
    var count = -1
    while count < speaking.count {
      count = speaking.count
      for fragment in document.fragments where speaks(fragment.selectionSet) { speaking.insert(fragment.name.value) }
    }
  }

  private func speaks(_ selectionSet: SelectionSet) -> Bool {
    selectionSet.selections.contains { selection in
      switch selection {
      case .field(let field): cacheControl.age(of: field) != nil || field.selectionSet.map(speaks) ?? false
      case .inlineFragment(let fragment): speaks(fragment.selectionSet)
      case .fragmentSpread(let spread): speaking.contains(spread.name.value)
      }
    }
  }

  /// Compares the ages of the fields that one object gets of all these parts.
  mutating func visit(_ parts: [Part]) {
    var places: [String: [Place]] = [:], keys: [String] = []
    var known: Set<Place.Identity> = []
    for part in parts {
      for place in collect(part) where known.insert(place.identity).inserted {
        if places[place.field.responseKey] == nil { keys.append(place.field.responseKey) }
        places[place.field.responseKey, default: []].append(place)
      }
    }
    for key in keys {
      let places = places[key] ?? []
      compare(places.filter { cacheControl.age(of: $0.field) != nil })
      guard places.contains(where: { $0.field.selectionSet.map(speaks) ?? false }) else { continue }
      visit(
        places.compactMap { place in
          guard let selectionSet = place.field.selectionSet, let parent = place.path.last,
            let type = schema.field(named: place.field.name.value, on: parent).flatMap({ schema.type(of: $0.type) })
          else { return nil }
          return Part(selectionSet: selectionSet, type: type, path: place.path)
        })
    }
  }

  private func collect(_ part: Part) -> [Place] {
    var places: [Place] = []
    var spread: Set<String> = []
    func collect(_ selectionSet: SelectionSet, on type: NamedType) {
      for selection in selectionSet.selections {
        switch selection {
        case .field(let field): places.append(Place(field: field, path: part.path + [type]))
        case .inlineFragment(let fragment):
          collect(fragment.selectionSet, on: fragment.typeCondition.flatMap { schema.type(named: $0.value) } ?? type)
        case .fragmentSpread(let selection):
          guard let fragment = fragments[selection.name.value], spread.insert(fragment.name.value).inserted else {
            continue
          }
          collect(fragment.selectionSet, on: schema.type(named: fragment.typeCondition.value) ?? type)
        }
      }
    }
    collect(part.selectionSet, on: part.type)
    return places
  }

  private mutating func compare(_ places: [Place]) {
    for (index, place) in places.enumerated() {
      let other = places[..<index].first { other in
        cacheControl.age(of: other.field) != cacheControl.age(of: place.field)
          && zip(other.path, place.path).allSatisfy { schema.haveCommonPossibleType($0, $1) }
      }
      guard let other, let directive = directive(of: place), let first = self.directive(of: other),
        reported.insert(directive.span).inserted
      else { continue }
      diagnostics.append(
        Diagnostic(
          .conflictingCacheControl,
          "\"\(place.field.responseKey)\" has different ages in selections that are merged.", at: directive.span,
          labels: [.init("the other one", at: first.span)],
          help: "Give both the same age, or one of the fields an alias."))
    }
  }

  private func directive(of place: Place) -> Directive? {
    place.field.directives.first { cacheControl.names.contains($0.name.value) }
  }
}
