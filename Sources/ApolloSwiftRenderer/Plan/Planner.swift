import ApolloIR

/// Chooses the names of properties and nested types, and what every struct consists of.
struct Planner {
  let types: SwiftTypes
  let fragments: [String: Fragment]
  private let catalog: FragmentCatalog

  init(_ program: Program, types: SwiftTypes) {
    self.types = types
    fragments = Dictionary(program.fragments.map { ($0.name, $0) }) { first, _ in first }
    catalog = FragmentCatalog()
  }

  /// The root of an operation.
  func plan(_ operation: Operation) -> StructPlan {
    let context = Context(globals: GlobalNames(operation.shape, types: types, fragments: fragments).names)
    return plan(operation.shape, name: "Data", role: .root, in: context)
  }

  func plan(_ fragment: Fragment) -> StructPlan {
    if let plan = catalog.plans[fragment.name] { return plan }
    let context = Context(globals: GlobalNames(fragment.shape, types: types, fragments: fragments).names)
    var plan = plan(
      fragment.shape, name: types.names.fragments[fragment.name] ?? fragment.name, role: .namedFragment, in: context)
    plan.documentation = documentation(fragment.description)
    catalog.plans[fragment.name] = plan
    return plan
  }

  /// What a struct needs to know of its surroundings.
  struct Context {
    /// Types declared elsewhere that are mentioned in the same file: nested types must not hide them.
    var globals: Set<String>
    /// The stored properties of the enclosing struct, for inline fragments.
    var enclosing: [String: PropertyPlan] = [:]
  }

  func plan(_ shape: Shape, name: String, role: StructPlan.Role, in context: Context) -> StructPlan {
    var plan = StructPlan(name: name, role: role)
    var table = FieldTableText()
    var propertyNames = MemberNames(fieldsAreCamelCased: types.options.convertsFieldNames)
    if shape.hasTypename {
      table.addTypename()
      plan.typename = shape.parentType.isAbstract ? .stored : .constant(shape.parentType.name)
    }
    for member in shape.inherited {
      guard let property = context.enclosing[member.key] else { continue }
      plan.inherited.append(property)
      propertyNames.claim(property.name)
      if case .field(let field) = member, field.isKey { _ = table.add(field) }
      plan.isHashable = plan.isHashable && isHashable(member)
    }
    let structNames = StructNames(
      shape, avoiding: context.globals.union(plan.inherited.map(\.unconditionalType).flatMap(StructNames.identifiers)),
      inflection: types.options.inflection)
    for member in shape.members {
      plan.isHashable = plan.isHashable && isHashable(member)
      switch member {
      case .field(let field):
        let objectName = structNames[member.key]
        plan.properties.append(
          property(field, name: propertyNames.name(of: member), objectName: objectName, table: &table))
        guard let inner = field.shape, let objectName else { continue }
        var nested = self.plan(inner, name: objectName, role: .object, in: Context(globals: context.globals))
        nested.documentation = ["/// `\(field.responseKey): \(field.schemaType)`"]
        plan.nested.append(nested)
      case .fragment(let fragment):
        table.addFragment()
        plan.properties.append(property(fragment, name: propertyNames.name(of: member), table: &table))
      case .inlineFragment(let fragment):
        table.addFragment()
        let nested = self.plan(fragment, name: structNames[member.key] ?? "", in: plan, context: context)
        plan.nested.append(nested)
        plan.properties.append(
          property(fragment, nested: nested, name: propertyNames.name(of: member), table: &table))
      }
    }
    plan.fieldTable = table.text
    plan.forwarders = forwarders(for: plan, shape: shape)
    plan.isIdentifiable = isIdentifiable(plan)
    return plan
  }

  private func plan(
    _ fragment: InlineFragmentMember, name: String, in enclosing: StructPlan, context: Context
  ) -> StructPlan {
    let properties = enclosing.stored.map { ($0.key, $0) }
    var nested = plan(
      fragment.shape, name: name, role: .inlineFragment,
      in: Context(globals: context.globals, enclosing: Dictionary(properties) { first, _ in first }))
    nested.documentation = ["/// `... on \(fragment.typeCondition)`"]
    return nested
  }

  private func isIdentifiable(_ plan: StructPlan) -> Bool {
    guard plan.role != .root else { return false }
    return plan.stored.contains { $0.name == "id" && $0.isPlainScalar }
      || plan.forwarders.contains { $0.name == "id" && $0.isPlainScalar }
  }

  func documentation(_ text: String?) -> [String] {
    types.options.includesDocumentation ? Documentation.comment(text) : []
  }

  private func isHashable(_ member: Member) -> Bool {
    switch member {
    case .field(let field): types.isHashable(field.type) && (field.shape.map(isHashable) ?? true)
    case .fragment(let fragment): fragments[fragment.name].map { isHashable($0.shape) } ?? true
    case .inlineFragment(let fragment): isHashable(fragment.shape)
    }
  }

  private func isHashable(_ shape: Shape) -> Bool { (shape.inherited + shape.members).allSatisfy(isHashable) }
}

/// The plans of named fragments, each made once.
final class FragmentCatalog {
  var plans: [String: StructPlan] = [:]
}

extension Member {
  /// Tells the members of a shape apart.
  var key: String {
    switch self {
    case .field(let field): field.responseKey
    case .fragment(let fragment): "..." + fragment.name
    case .inlineFragment(let fragment): "... on " + fragment.typeCondition
    }
  }
}
