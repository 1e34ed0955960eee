import GraphQLSchema
public import GraphQLSyntax

extension Diagnostic.Code {
  /// Input objects that require each other, so that no finite value of them exists.
  public static let inputObjectCycle = Self("input-object-cycle")
}

extension TypeSystemRule {
  /// No input object requires another of its kind, directly or through others.
  static let inputObjectCycles = TypeSystemRule(
    "InputObjectCycles", section: "sec-Input-Objects.Circular-References", reports: .inputObjectCycle
  ) { schema in
    var finder = InputObjectCycleFinder(schema: schema)
    for type in schema.definedInputObjects { finder.follow(type) }
    return finder.diagnostics
  }
}

private struct InputObjectCycleFinder {
  /// A type on the current path, and how many of its fields have been followed.
  private struct Step {
    var type: InputObjectType
    var next = 0
    /// The field that led to the next step.
    var field: InputValueDefinition?
  }

  let schema: Schema
  private(set) var diagnostics: [Diagnostic] = []
  private var visited: Set<String> = []

  init(schema: Schema) { self.schema = schema }

  /// Depth first, with a path of its own: chains of types can be longer than a call stack.
  mutating func follow(_ root: InputObjectType) {
    guard visited.insert(root.name).inserted else { return }
    var path = [Step(type: root)]
    var positions = [root.name: 0]
    while let step = path.last {
      guard step.next < step.type.fields.count else {
        positions[step.type.name] = nil
        path.removeLast()
        continue
      }
      let field = step.type.fields[step.next]
      path[path.count - 1].next += 1
      guard let target = requiredType(of: field) else { continue }
      path[path.count - 1].field = field
      if let start = positions[target.name] {
        report(path[start...])
      } else if visited.insert(target.name).inserted {
        positions[target.name] = path.count
        path.append(Step(type: target))
      }
    }
  }

  /// The input object type that a value of the field cannot do without.
  private func requiredType(of field: InputValueDefinition) -> InputObjectType? {
    guard field.type.isNonNull, case .named(let name) = field.type.kind,
      case .inputObject(let type)? = schema.type(named: name.value)
    else { return nil }
    return type
  }

  private mutating func report(_ cycle: ArraySlice<Step>) {
    guard let first = cycle.first else { return }
    let fields = cycle.compactMap { step in step.field.map { (text: "\(step.type.name).\($0.name)", span: $0.span) } }
    let path =
      fields.count == 1
      ? "in the non-null field \(fields[0].text)"
      : "via the non-null fields: \(fields.map(\.text).joined(separator: ", "))"
    diagnostics.append(
      Diagnostic(
        .inputObjectCycle,
        "Invalid circular reference. The Input Object \(first.type.name) references itself \(path).",
        at: fields[0].span, labels: fields.dropFirst().map { .init("which requires this", at: $0.span) }))
  }
}
