import ApolloIR

/// What is behind `fragments` where a fragment cannot have its own name beside the fields.
extension Planner {
  /// Adds what `fragments` of a struct has.
  func addFragmentContainer(to plan: inout StructPlan, shape: Shape, scope: StructScope) {
    let members = plan.stored.map(\.export) + plan.forwarders.map(\.export)
    plan.fragmentContainer = fragmentContainer(
      of: members.map { $0.forwarder(owner: "__whole") }, in: plan.stored,
      beside: plan.stored.map(\.name) + visibleNames(plan.forwarders), shape: shape, scope: scope)
  }

  /// Adds what `fragments` of a part has. The part has fragments that the object has as optionals, and what is in them.
  ///
  /// - Parameters:
  ///   - part: The part.
  ///   - plan: The struct of the object.
  ///   - stored: The stored properties of the object, as they are under the condition.
  ///   - shape: The members of the object.
  ///   - scope: The names in the struct of the object.
  func addFragmentContainer(
    to part: inout ConditionalPartPlan, of plan: StructPlan, stored: [PropertyPlan], shape: Shape, scope: StructScope
  ) {
    let unwrapped = Set(part.unwrapped.map(\.key))
    var members = stored.map { property in
      property.export.forwarder(owner: "__part", path: unwrapped.contains(property.key) ? "" : "__whole.")
    }
    members += part.forwarders.map { $0.export.forwarder(owner: "__part") }
    members += plan.forwarders.map { $0.export.forwarder(owner: "__part", path: "__whole.") }
    let names = stored.map(\.name) + visibleNames(part.forwarders) + visibleNames(plan.forwarders)
    let container = fragmentContainer(
      of: members, in: stored, beside: names, isNeeded: !plan.fragmentContainer.isEmpty, shape: shape, scope: scope)
    part.fragmentContainer = container.map { entry in
      var entry = entry
      entry.setter = .none
      return entry
    }
  }

  private func visibleNames(_ forwarders: [ForwarderPlan]) -> [String] {
    forwarders.filter { !$0.isHidden }.map(\.name)
  }

  /// The fragments of a struct or of a part of it, under their own names.
  ///
  /// - Parameters:
  ///   - members: What the struct or the part has, as `Fragments` reads it. Stored properties come first.
  ///   - stored: The stored properties.
  ///   - names: The names of all properties.
  ///   - isNeeded: Whether they are needed although each fragment has its own name.
  ///   - shape: The members of the struct.
  ///   - scope: The names in the struct.
  /// - Returns: The properties of `Fragments`; empty if there is no such type.
  private func fragmentContainer(
    of members: [ForwarderPlan], in stored: [PropertyPlan], beside names: [String], isNeeded: Bool = false,
    shape: Shape, scope: StructScope
  ) -> [ForwarderPlan] {
    guard !names.contains("fragments"), !scope.takenTypes.contains("Fragments") else { return [] }
    var container: [ForwarderPlan] = [], isNeeded = isNeeded
    func add(_ entry: ForwarderPlan) {
      // (A name without letters is that of its type as well, which it would hide.)
      guard !entry.type.names.contains(entry.name) else { return }
      guard let index = container.firstIndex(where: { $0.name == entry.name }) else { return container.append(entry) }
      // The same fragment under another condition may be there where the first one is not.
      let known = container[index]
      guard known.key == entry.key, known.type.isOptional, known.type.unwrapped == entry.type.unwrapped else { return }
      container[index] = entry.type.isOptional ? known.orElse(entry) : entry
    }
    for member in shape.inherited + shape.members {
      guard let fragment = Self.namedFragment(member),
        var entry = members.first(where: {
          $0.key == member.key && $0.name == (scope.properties[member.key] ?? $0.name)
        })
      else { continue }
      let property = entry.name
      if member.alias == nil { entry.name = types.names.fragmentProperty(fragment) }
      if entry.name != property { isNeeded = true }
      add(entry)
    }
    // Fragments of fragments.
    for property in stored where !property.isConditional {
      guard case .fragment(let name) = property.key, let fragment = types.names.fragments[name],
        let holder = members.first(where: { $0.key == property.key }), let path = holder.member
      else { continue }
      let held = data(of: fragment), nested = Set(held.nested.map(\.name))
      for var entry in held.fragmentContainer {
        isNeeded = true
        entry.type = entry.type.nested(in: .named(held.name), declaring: nested)
        entry.owner = holder.owner
        entry.others = []
        entry.member = "\(path).fragments.\(Identifier.escaped(entry.name))"
        add(entry)
      }
      for export in exports(of: fragment) {
        guard case .fragment(let inner) = export.key, export.name == types.names.fragmentProperty(inner) else {
          continue
        }
        if let member = members.first(where: { $0.key == export.key && $0.name == export.name }) {
          add(member)
        } else {
          if names.contains(export.name) { isNeeded = true }
          add(export.forwarder(owner: holder.owner, path: path + "."))
        }
      }
    }
    return isNeeded ? container : []
  }

  /// The name of a fragment of the document; nil for other members.
  private static func namedFragment(_ member: Member) -> String? {
    switch member {
    case .fragment(let fragment): return fragment.name
    case .deferred(let deferred):
      guard case .named(let name) = deferred.fragment else { return nil }
      return name
    case .field, .inlineFragment: return nil
    }
  }
}
