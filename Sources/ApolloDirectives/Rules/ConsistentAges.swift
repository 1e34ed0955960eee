import GraphQLSchema
import GraphQLSyntax

extension DirectiveRule {
  /// Selections of one field that are merged do not have different ages. It is for documents that are valid otherwise.
  static let consistentAges = DirectiveRule { context in
    let cacheControl = context.directives.cacheControl
    guard cacheControl.isUsed(in: context.document) else { return [] }
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
  struct ObjectSelections {
    var selectionSet: SelectionSet
    var type: NamedType
    /// The types on which the fields around it are selected.
    var path: [NamedType] = []
  }

  /// A field as one of the selections that are merged.
  private struct Occurrence {
    var field: Field
    /// The types on which the field and those around it are selected.
    var path: [NamedType]

    var id: ID { ID(span: field.span, path: path) }

    struct ID: Hashable {
      var span: SourceSpan
      var path: [NamedType]
    }
  }

  private let schema: Schema
  private let cacheControl: CacheControl
  private let fragments: [String: FragmentDefinition]
  /// The names of the fragments that declare an age, directly or in a fragment that they spread.
  private var fragmentsWithAges: Set<String> = []
  private var reported: Set<SourceSpan> = []
  private(set) var diagnostics: [Diagnostic] = []

  init(schema: Schema, cacheControl: CacheControl, document: Document) {
    self.schema = schema
    self.cacheControl = cacheControl
    fragments = Dictionary(document.fragments.map { ($0.name.value, $0) }) { first, _ in first }
    var count = -1
    while count < fragmentsWithAges.count {
      count = fragmentsWithAges.count
      for fragment in document.fragments where hasAges(fragment.selectionSet) {
        fragmentsWithAges.insert(fragment.name.value)
      }
    }
  }

  private func hasAges(_ selectionSet: SelectionSet) -> Bool {
    selectionSet.contains { selection in
      switch selection {
      case .field(let field): cacheControl.age(of: field) != nil
      case .inlineFragment: false
      case .fragmentSpread(let spread): fragmentsWithAges.contains(spread.name.value)
      }
    }
  }

  /// Compares the ages of the fields that one object gets of all these selections.
  mutating func visit(_ all: [ObjectSelections]) {
    var merged: [String: [Occurrence]] = [:], keys: [String] = []
    var known: Set<Occurrence.ID> = []
    for selections in all {
      for occurrence in occurrences(in: selections) where known.insert(occurrence.id).inserted {
        let key = occurrence.field.responseKey
        if merged[key] == nil { keys.append(key) }
        merged[key, default: []].append(occurrence)
      }
    }
    for key in keys {
      let occurrences = merged[key] ?? []
      compare(occurrences.filter { cacheControl.age(of: $0.field) != nil })
      guard occurrences.contains(where: { $0.field.selectionSet.map(hasAges) ?? false }) else { continue }
      visit(
        occurrences.compactMap { occurrence in
          guard let selectionSet = occurrence.field.selectionSet, let parent = occurrence.path.last,
            let type = schema.field(named: occurrence.field.name.value, on: parent).flatMap({ schema.type(of: $0.type) }
            )
          else { return nil }
          return ObjectSelections(selectionSet: selectionSet, type: type, path: occurrence.path)
        })
    }
  }

  private func occurrences(in selections: ObjectSelections) -> [Occurrence] {
    var found: [Occurrence] = []
    var spread: Set<String> = []
    func collect(_ selectionSet: SelectionSet, on type: NamedType) {
      for selection in selectionSet.selections {
        switch selection {
        case .field(let field): found.append(Occurrence(field: field, path: selections.path + [type]))
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
    collect(selections.selectionSet, on: selections.type)
    return found
  }

  private mutating func compare(_ occurrences: [Occurrence]) {
    for (index, occurrence) in occurrences.enumerated() {
      let other = occurrences[..<index].first { other in
        cacheControl.age(of: other.field) != cacheControl.age(of: occurrence.field)
          && zip(other.path, occurrence.path).allSatisfy { schema.haveCommonPossibleType($0, $1) }
      }
      guard let other, let directive = cacheControl.directive(on: occurrence.field),
        let first = cacheControl.directive(on: other.field),
        reported.insert(directive.span).inserted
      else { continue }
      diagnostics.append(
        Diagnostic(
          .conflictingCacheControl,
          "\"\(occurrence.field.responseKey)\" has different ages in selections that are merged.", at: directive.span,
          labels: [.init("the other one", at: first.span)],
          help: "Give both the same age, or one of the fields an alias."))
    }
  }
}
