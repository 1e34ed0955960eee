import ApolloIR

/// Makes plans of everything in a program. It remembers the plans of fragments, which are needed wherever a fragment is
/// spread, and is gone when the ``CodePlan`` is there.
final class Planner {
  let types: SwiftTypes
  /// Defaults of parameters, in the structs of operations.
  let defaults: DefaultValues
  /// Defaults in the extensions that tell how variables are written.
  let writtenDefaults: DefaultValues
  /// The plans of named fragments.
  private var plans: [String: StructPlan] = [:]
  /// The members to which structs that hold these fragments can forward.
  private var exports: [String: [ExportPlan]] = [:]
  /// What these fragments hold that properties beside them may hold, too.
  var partsOfFragments: [String: [Part]] = [:]
  /// The structs of named fragments.
  let structNames: Set<String>
  /// The object types that satisfy type conditions.
  private let possibleTypes: [String: Set<String>]

  init(types: SwiftTypes, program: Program) {
    self.types = types
    defaults = DefaultValues(program, types: types)
    writtenDefaults = DefaultValues(program, types: types.seen(from: .machinery))
    possibleTypes = Dictionary(program.schemaTypes.typeConditions.map { ($0.name, Set($0.possibleTypes)) }) {
      first, _ in first
    }
    structNames = Set(types.names.fragments.keys.map(types.names.fragment))
  }

  /// Types declared elsewhere that a selection set or its fragments mention.
  func mentionedTypes(in shape: Shape) -> Set<String> { types.names.mentionedTypes(in: shape, types: types) }

  /// The root of an operation.
  func data(of operation: Operation) -> StructPlan {
    let flat = types.options.flatInitializers
    let context = Context(
      top: types.names.operation(operation.name), mentioned: mentionedTypes(in: operation.shape),
      hasFlatInitializers: flat.definitions.contains(operation.name)
        || (operation.isLocalCacheMutation ? flat.localCacheMutations : flat.operations))
    return plan(operation.shape, name: "Data", role: .root, in: context)
  }

  func data(of fragment: Fragment) -> StructPlan {
    if let plan = plans[fragment.name] { return plan }
    let flat = types.options.flatInitializers
    let context = Context(
      top: types.names.fragment(fragment.name), mentioned: mentionedTypes(in: fragment.shape),
      hasFlatInitializers: flat.namedFragments || flat.definitions.contains(fragment.name)
        || fragment.isLocalCacheMutation && flat.localCacheMutations)
    var plan = plan(
      fragment.shape, name: types.names.fragment(fragment.name), role: .namedFragment, in: context, of: fragment)
    plan.documentation = documentation(fragment.description)
    plans[fragment.name] = plan
    return plan
  }

  /// The members to which a struct with the fragment can forward.
  func exports(of fragment: Fragment) -> [ExportPlan] {
    if let exports = exports[fragment.name] { return exports }
    let exports = exports(of: data(of: fragment), key: .fragment(fragment.name))
    self.exports[fragment.name] = exports
    return exports
  }

  /// The surroundings of a struct.
  struct Context {
    /// The struct of the operation or fragment. Extensions of inline fragments mention it if they are handed values of
    /// types nested in it, so types nested in these must not hide it.
    var top: String
    /// For an inline fragment: the types nested in the structs around it, up to that of the object.
    var declared: Set<String> = []
    /// Types declared elsewhere that are mentioned in the object's struct or in those inside of it. Nested types must not
    /// hide them.
    var mentioned: Set<String>
    /// The enclosing struct, for inline fragments.
    var enclosing: StructPlan?
    var hasFlatInitializers: Bool
  }

  /// Plans a struct.
  ///
  /// - Parameters:
  ///   - shape: Its members.
  ///   - name: Its name.
  ///   - role: What it stands for.
  ///   - context: Its surroundings.
  ///   - fragment: The named fragment, if that is what it stands for.
  /// - Returns: The plan.
  func plan(
    _ shape: Shape, name: String, role: StructPlan.Role, in context: Context, of fragment: Fragment? = nil
  ) -> StructPlan {
    var plan = StructPlan(name: name, role: role, parentType: shape.parentType.name)
    plan.guessesTypename = types.options.naming == .legacy
    var table = FieldTableText()
    table.maxAge = shape.maxAge
    table.isPrivate = shape.isPrivate
    table.isLowestOnPath = types.options.maxAgeRule == .lowestOnPath
    if let fragment, let variables = fragment.variables { table.add(variables, of: fragment.name) }
    if shape.hasTypename { table.addTypename() }
    plan.keyFields = keyFields(of: shape, role, &table)
    for member in shape.inherited {
      if let property = context.enclosing?.stored.first(where: { $0.key == member.key }) {
        plan.inherited.append(property)
        plan.inherited[plan.inherited.count - 1].mirrors = []
      }
      if case .field(let field) = member, field.keyPosition != nil { _ = table.add(field) }
    }
    var mentioned = context.mentioned
    // (In a namespace the extensions begin with that.)
    let handed = plan.inherited.reduce(into: Set<String>()) { $0.formUnion($1.unconditionalType.names) }
    if !handed.isDisjoint(with: context.declared), types.outside(context.top) == .named(context.top) {
      mentioned.insert(context.top)
    }
    let scope = StructScope(
      shape, inherited: namesOfInherited(in: shape, plan.inherited, enclosing: context.enclosing),
      mentioned: plan.inherited.reduce(into: mentioned) { $0.formUnion($1.unconditionalType.names) },
      fields: fieldNames(in: shape), names: types.names)
    let homes = homes(in: shape, inherited: plan.inherited, scope: scope)
    plan.typename = typename(of: shape, homes)
    if case .stored = plan.typename, role != .inlineFragment { table.abstractTypes = shape.abstractTypes }
    plan.order = (shape.inherited + shape.members).map(\.key)
    for member in shape.inherited + shape.members {
      guard case .field(let field) = member,
        let name = plan.inherited.first(where: { $0.key == member.key })?.name ?? scope.properties[member.key]
          ?? context.enclosing?.forwarders.first(where: { $0.key == member.key })?.name,
        let forwarder = forwarder(field, name: name, homes)
      else { continue }
      plan.forwarders.append(forwarder)
      plan.inherited.removeAll { $0.key == member.key }
    }
    for member in shape.members { add(member, to: &plan, scope: scope, table: &table, context) }
    addForwarders(to: &plan, shape: shape, scope: scope)
    addFragmentContainer(to: &plan, shape: shape, scope: scope)
    addMirrors(to: &plan)
    plan.conditionalParts = conditionalParts(of: plan, shape: shape, scope: scope, table: &table)
    (plan.fieldTable, plan.fieldTableVersion) = (table.text, table.version)
    plan.isHashable = plan.stored.allSatisfy(\.isHashable)
    plan.isSendable =
      plan.stored.allSatisfy(\.isSendable) && shape.keyFields.allSatisfy { types.isSendable($0.type) }
    plan.isIdentifiable = isIdentifiable(plan)
    plan.aliases += aliases(of: plan, in: context.enclosing, scope: scope)
    if case .stored = plan.typename { plan.partInitializers = partInitializers(plan.stored.map { .init($0) }) }
    if context.hasFlatInitializers { plan.flatInitializer = flatInitializer(of: plan) }
    return plan
  }

  /// The names of the members that an inline fragment has from the enclosing struct.
  ///
  /// They include fields that the enclosing struct reads from a named fragment, because the inline fragment reads them
  /// there under the same names, and the stored properties of members that may turn out to be set with others.
  private func namesOfInherited(
    in shape: Shape, _ properties: [PropertyPlan], enclosing: StructPlan?
  ) -> Set<String> {
    let keys = Set(shape.inherited.map(\.key))
    let forwarders = enclosing?.forwarders.filter { keys.contains($0.key) } ?? []
    return Set(properties.map(\.name) + properties.map(\.hiddenName) + forwarders.map(\.name)).subtracting([""])
  }

  private func add(
    _ member: Member, to plan: inout StructPlan, scope: StructScope, table: inout FieldTableText, _ context: Context
  ) {
    let name = scope.properties[member.key] ?? "", typeName = scope.types[member.key] ?? ""
    func nested(_ shape: Shape, documentation: String) -> StructPlan {
      var nested = self.plan(
        shape, name: typeName, role: .object,
        in: Context(
          top: context.top, mentioned: mentionedTypes(in: shape), hasFlatInitializers: context.hasFlatInitializers))
      nested.documentation = ["/// `\(documentation)`"]
      return nested
    }
    func add(_ property: PropertyPlan) {
      plan.properties.append(property)
      plan.properties[plan.properties.count - 1].hiddenName = scope.hiddenProperties[member.key] ?? ""
    }
    switch member {
    case .field(let field):
      if plan.forwarders.contains(where: { $0.key == member.key }) {
        // The field is added because the reader finds the key of an object through the table.
        if field.keyPosition != nil { _ = table.add(field) }
        return
      }
      let object = field.shape.map { nested($0, documentation: "\(field.responseKey): \(field.schemaType)") }
      if let object { plan.nested.append(object) }
      add(property(field, nested: object, name: name, table: &table))
    case .fragment(let fragment):
      if fragment.typeCondition != nil { return }
      add(property(fragment, name: name, table: &table))
    case .inlineFragment(let fragment):
      table.addFragment()
      let inline = self.plan(fragment, name: typeName, in: plan, context: context)
      plan.nested.append(inline)
      add(property(fragment, nested: inline, name: name, table: &table))
      addConditionalForwarders(fragment, nested: inline, scope: scope, to: &plan)
    case .deferred(let fragment):
      let object = fragment.shape.map { nested($0, documentation: "... on \($0.parentType.name) @defer") }
      if let object { plan.nested.append(object) }
      add(property(fragment, nested: object, name: name, table: &table))
    }
  }

  private func addForwarders(to plan: inout StructPlan, shape: Shape, scope: StructScope) {
    for case .fragment(let fragment) in shape.members {
      guard let forwarder = forwarder(fragment, name: scope.properties[.fragment(fragment.name)] ?? "", in: plan) else {
        continue
      }
      plan.forwarders.append(forwarder)
    }
    let taken = scope.takenProperties.union(plan.stored.map(\.name)).union(plan.forwarders.map(\.name))
    plan.forwarders += forwarders(of: plan.stored, except: taken)
  }

  private func plan(
    _ fragment: InlineFragmentMember, name: String, in enclosing: StructPlan, context: Context
  ) -> StructPlan {
    var nested = plan(
      fragment.shape, name: name, role: .inlineFragment,
      in: Context(
        top: context.top,
        declared: context.declared.union(enclosing.nested.map(\.name)).union(enclosing.aliases.map(\.name)),
        mentioned: context.mentioned, enclosing: enclosing, hasFlatInitializers: context.hasFlatInitializers))
    nested.documentation = ["/// `... on \(fragment.typeCondition)`"]
    return nested
  }

  /// Whether an object may satisfy both type conditions.
  func canSatisfy(_ a: String, _ b: String) -> Bool {
    guard let types = possibleTypes[a], let others = possibleTypes[b] else { return true }
    return !types.isDisjoint(with: others)
  }

  private func isIdentifiable(_ plan: StructPlan) -> Bool {
    guard plan.role != .root else { return false }
    return plan.stored.contains { $0.name == "id" && $0.canIdentify }
      || plan.forwarders.contains { $0.name == "id" && $0.canIdentify && !$0.isHidden }
  }

  /// A comment. The reason of a deprecation is a part of it, also where descriptions are left out.
  func documentation(_ text: String?, deprecated reason: String? = nil) -> [String] {
    Documentation.comment(types.options.includesDocumentation ? text : nil, deprecated: reason)
  }

  /// The reason with which a declaration is deprecated in Swift; nil if it is not.
  func deprecation(_ reason: String?) -> String? { types.options.marksDeprecations ? reason : nil }
}

extension Shape {
  /// The interfaces and unions on which the object's members are selected: its own type, and those of inline fragments.
  fileprivate var abstractTypes: [String] {
    let own = parentType.isAbstract ? [parentType.name] : []
    return members.reduce(into: own) { names, member in
      guard case .inlineFragment(let fragment) = member else { return }
      names += fragment.shape.abstractTypes.filter { !names.contains($0) }
    }
  }
}
