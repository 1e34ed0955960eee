import GraphQLSchema
public import GraphQLSyntax

extension Diagnostic.Code {
  /// A subscription to more than one event stream, or to none for sure.
  public static let subscriptionRootFields = Self("subscription-root-fields")
}

extension Rule {
  /// A subscription has exactly one root field, which is not conditional and not about the schema.
  /// — [spec](https://spec.graphql.org/September2025/#sec-Single-Root-Field)
  public static let singleFieldSubscriptions = Rule(
    "SingleFieldSubscriptions", section: "sec-Single-Root-Field", reports: .subscriptionRootFields
  ) {
    SingleFieldSubscriptionsVisitor()
  }
}

private final class SingleFieldSubscriptionsVisitor: RuleVisitor {
  func enter(_ operation: OperationDefinition, _ context: ValidationContext) {
    guard operation.operation == .subscription, let root = context.schema.subscriptionType else { return }
    var collector = RootFieldCollector(root: root, context: context)
    collector.collect(operation.selectionSet)
    let name = operation.name.map { "Subscription \"\($0)\"" } ?? "Anonymous Subscription"

    if !collector.conditions.isEmpty {
      report("\(name) must not use `@skip` or `@include` directives in the top level selection.", collector.conditions)
      return
    }
    if collector.groups.isEmpty, context.allowsEmptySelectionSets {
      report("\(name) must select one top level field.", [operation.selectionSet.span])
    }
    if collector.groups.count > 1 {
      report("\(name) must select only one top level field.", collector.groups.dropFirst().flatMap { $0.map(\.span) })
    }
    for group in collector.groups where group[0].name.value.hasPrefix("__") {
      report("\(name) must not select an introspection top level field.", group.map(\.span))
    }

    func report(_ message: String, _ spans: [SourceSpan]) {
      context.report(
        .subscriptionRootFields, message, at: spans[0], labels: spans.dropFirst().map { .init("", at: $0) })
    }
  }
}

/// The fields that an operation selects on its root type, fragments included.
private struct RootFieldCollector {
  let root: ObjectType
  let context: ValidationContext
  /// The fields by response key, in order.
  private(set) var groups: [[Field]] = []
  /// Where `@skip` and `@include` stand.
  private(set) var conditions: [SourceSpan] = []
  private var positions: [String: Int] = [:]
  private var visited: Set<String> = []

  init(root: ObjectType, context: ValidationContext) {
    self.root = root
    self.context = context
  }

  mutating func collect(_ selectionSet: SelectionSet) {
    var pending = [selectionSet.selections[...]]
    while let selection = pending[pending.count - 1].popFirst() ?? next(&pending) {
      if let condition = selection.directives.first(named: "skip") ?? selection.directives.first(named: "include") {
        conditions.append(condition.span)
        continue
      }
      switch selection {
      case .field(let field): insert(field)
      case .inlineFragment(let fragment):
        if fragment.typeCondition.map({ context.schema.isSubtype(root.name, of: $0.value) }) ?? true {
          pending.append(fragment.selectionSet.selections[...])
        }
      case .fragmentSpread(let spread):
        guard visited.insert(spread.name.value).inserted, let fragment = context.fragments[spread.name.value],
          context.schema.isSubtype(root.name, of: fragment.typeCondition.value)
        else { continue }
        pending.append(fragment.selectionSet.selections[...])
      }
    }
  }

  /// Leaves the selections that are done with.
  private func next(_ pending: inout [ArraySlice<Selection>]) -> Selection? {
    while pending.count > 1 {
      pending.removeLast()
      if let selection = pending[pending.count - 1].popFirst() { return selection }
    }
    return nil
  }

  private mutating func insert(_ field: Field) {
    if let position = positions[field.responseKey] {
      groups[position].append(field)
    } else {
      positions[field.responseKey] = groups.count
      groups.append([field])
    }
  }
}
