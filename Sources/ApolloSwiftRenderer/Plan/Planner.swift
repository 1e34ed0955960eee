import ApolloIR

/// Chooses the names of properties and nested types, and what every struct consists of.
final class Planner {
  let types: SwiftTypes
  /// What is known of named fragments: each is asked for wherever the fragment is spread.
  private var plans: [String: StructPlan] = [:]
  /// What a struct that holds the fragment can forward to it. The owner is still to be named.
  var exports: [String: [ForwarderPlan]] = [:]

  init(types: SwiftTypes) { self.types = types }

  /// Types declared elsewhere that a selection set or its fragments mention.
  func mentionedTypes(in shape: Shape) -> Set<String> { types.names.mentionedTypes(in: shape, types: types) }

  /// The root of an operation.
  func plan(_ operation: Operation) -> StructPlan {
    let context = Context(mentioned: mentionedTypes(in: operation.shape))
    return plan(operation.shape, name: "Data", role: .root, in: context)
  }

  func plan(_ fragment: Fragment) -> StructPlan {
    if let plan = plans[fragment.name] { return plan }
    let context = Context(mentioned: mentionedTypes(in: fragment.shape))
    var plan = plan(
      fragment.shape, name: types.names.fragment(fragment.name), role: .namedFragment, in: context)
    plan.documentation = documentation(fragment.description)
    plans[fragment.name] = plan
    return plan
  }

  /// What a struct needs to know of its surroundings.
  struct Context {
    /// Types declared elsewhere that are mentioned in the same file: nested types must not hide them.
    var mentioned: Set<String>
    /// The stored properties of the enclosing struct, for inline fragments.
    var enclosing: [MemberKey: PropertyPlan] = [:]
  }

  func plan(_ shape: Shape, name: String, role: StructPlan.Role, in context: Context) -> StructPlan {
    var plan = StructPlan(name: name, role: role)
    var table = FieldTableText()
    if shape.hasTypename {
      table.addTypename()
      plan.typename = shape.parentType.isAbstract ? .stored : .constant(shape.parentType.name)
    }
    for member in shape.inherited {
      guard let property = context.enclosing[member.key] else { continue }
      plan.inherited.append(property)
      if case .field(let field) = member, field.keyPosition != nil { _ = table.add(field) }
    }
    let scope = StructScope(
      shape, inherited: plan.inherited,
      mentioned: plan.inherited.reduce(into: context.mentioned) { $0.formUnion($1.unconditionalType.names) },
      names: types.names)
    for member in shape.members {
      let name = scope.properties[member.key] ?? "", typeName = scope.types[member.key] ?? ""
      switch member {
      case .field(let field):
        let nested = field.shape.map { shape in
          var nested = self.plan(
            shape, name: typeName, role: .object, in: Context(mentioned: context.mentioned))
          nested.documentation = ["/// `\(field.responseKey): \(field.schemaType)`"]
          return nested
        }
        plan.nested += nested.map { [$0] } ?? []
        plan.properties.append(
          property(field, nested: nested, name: name, table: &table))
      case .fragment(let fragment):
        table.addFragment()
        plan.properties.append(property(fragment, name: name, table: &table))
      case .inlineFragment(let fragment):
        table.addFragment()
        let nested = self.plan(fragment, name: typeName, in: plan, context: context)
        plan.nested.append(nested)
        plan.properties.append(
          property(fragment, nested: nested, name: name, table: &table))
      case .deferred(let fragment):
        let nested = fragment.shape.map { shape in
          var nested = self.plan(
            shape, name: typeName, role: .object, in: Context(mentioned: context.mentioned))
          nested.documentation = ["/// `... on \(shape.parentType.name) @defer`"]
          return nested
        }
        plan.nested += nested.map { [$0] } ?? []
        plan.properties.append(
          property(fragment, nested: nested, name: name, table: &table))
      }
    }
    plan.fieldTable = table.text
    plan.isHashable = plan.stored.allSatisfy(\.isHashable)
    plan.isSendable = plan.stored.allSatisfy(\.isSendable)
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
      in: Context(mentioned: context.mentioned, enclosing: Dictionary(properties) { first, _ in first }))
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

}
