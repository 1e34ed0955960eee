import GraphQLSchema
public import GraphQLSyntax

extension Diagnostic.Code {
  /// Input objects that require each other, so that no finite value of them exists.
  public static let inputObjectCycle = Self("input-object-cycle")
}

extension TypeSystemRule {
  /// Every input object has a finite value — [draft](https://spec.graphql.org/draft/#InputObjectHasUnbreakableCycle())
  static let inputObjectCycles = TypeSystemRule(
    "InputObjectCycles", section: "sec-Input-Objects.Circular-References", reports: .inputObjectCycle
  ) { schema in
    let types = schema.definedInputObjects
    let needed = Dictionary(types.map { ($0.name, neededFields(of: $0, in: schema)) }) { first, _ in first }
    let finite = finiteTypes(among: types, needed)
    var finder = CycleFinder<InputCoordinate> { name in
      (needed[name] ?? []).filter { !finite.contains($0.type.namedType.value) }.map { field in
        (InputCoordinate(owner: .inputObject(name), definition: field), field.type.namedType.value)
      }
    }
    return types.filter { !finite.contains($0.name) }.flatMap { finder.cycles(from: $0.name) }.map(report)
  }

  /// The fields that lead from a value to another input object: all non-null fields, and each field of a oneOf object,
  /// which needs one of them. A list may be empty, and so leads nowhere.
  private static func neededFields(of type: InputObjectType, in schema: Schema) -> [InputValueDefinition] {
    type.fields.filter { field in
      guard type.isOneOf || field.type.isNonNull, !field.type.isList,
        case .inputObject? = schema.type(named: field.type.namedType.value)
      else { return false }
      return true
    }
  }

  /// The names of the types with a finite value, which are found beginning with those that need no other.
  private static func finiteTypes(
    among types: [InputObjectType], _ needed: [String: [InputValueDefinition]]
  ) -> Set<String> {
    var dependents: [String: [InputObjectType]] = [:]
    var missing: [String: Int] = [:]
    var pending: [String] = []
    for type in types {
      let fields = needed[type.name] ?? []
      for field in fields { dependents[field.type.namedType.value, default: []].append(type) }
      // One field of a oneOf object is enough.
      let isFinite = type.isOneOf ? fields.count < type.fields.count || fields.isEmpty : fields.isEmpty
      missing[type.name] = type.isOneOf ? 1 : fields.count
      if isFinite { pending.append(type.name) }
    }
    var finite = Set(pending)
    while let name = pending.popLast() {
      for type in dependents[name] ?? [] where !finite.contains(type.name) {
        missing[type.name, default: 0] -= 1
        guard missing[type.name] == 0 else { continue }
        finite.insert(type.name)
        pending.append(type.name)
      }
    }
    return finite
  }

  private static func report(_ cycle: [InputCoordinate]) -> Diagnostic {
    let name = cycle[0].text.prefix { $0 != "." }
    let path = cycle.map(\.text).joined(separator: ", ")
    return Diagnostic(
      .inputObjectCycle,
      "Input Object \(name) cannot be provided a finite value because it references itself through fields: \(path).",
      at: cycle[0].definition.span,
      labels: cycle.dropFirst().map { .init("which requires this", at: $0.definition.span) })
  }
}
