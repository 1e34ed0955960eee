import ApolloIR

/// If two members of a struct hold one field of the object, as two named fragments that both select it, setting the
/// field in one of them sets it in the other as well.
extension Planner {
  /// A part of a property that another property may hold, too.
  struct Part {
    var key: MemberKey
    /// The path to the part in the property; nil if it is the whole property.
    var member: String?
    var type: SwiftType
    var presence: Condition
    /// The fragments in the property that hold the part.
    var owners: [MemberKey] = []
    /// The path to the inline fragment, or to the fragment under a condition, that holds the part, below which `member`
    /// begins. Not every object has it. It may be in a fragment that every object has.
    var container: String?
    /// The types of the inline fragments on the way to the part.
    var conditions: [String] = []
  }

  func addMirrors(to plan: inout StructPlan) {
    let stored = plan.stored
    guard stored.count > 1 else { return }
    let parts = stored.map { self.parts(of: $0, in: plan) }
    // (A union may have many inline fragments, each with many parts.)
    let copies = parts.map { Dictionary(grouping: $0, by: \.key) }
    for index in stored.indices {
      var mirrors: [MirrorPlan] = []
      for (other, target) in stored.enumerated() where other != index {
        for part in parts[index] {
          for copy in copies[other][part.key] ?? []
          where isShared(part, of: parts[index], copy: copy, of: parts[other]) {
            guard canMeet([plan.parentType] + part.conditions, copy.conditions) else { continue }
            mirrors.append(
              MirrorPlan(
                target: target.key, targetContainer: copy.container, targetMember: copy.member,
                container: part.container, member: part.member,
                ignoresNil: part.type.isOptional && (part.type != copy.type || part.presence != copy.presence)))
          }
        }
      }
      if index < plan.inherited.count {
        plan.inherited[index].mirrors = mirrors
      } else {
        plan.properties[index - plan.inherited.count].mirrors = mirrors
      }
    }
  }

  /// Whether one object may be of all of these types.
  private func canMeet(_ types: [String], _ others: [String]) -> Bool {
    let all = types + others
    return all.indices.allSatisfy { index in all[..<index].allSatisfy { canSatisfy($0, all[index]) } }
  }

  /// Whether two properties hold one part, and neither holds it as a part of a fragment that is set as a whole.
  ///
  /// - Parameters:
  ///   - part: The part in one of them.
  ///   - parts: All parts of it.
  ///   - copy: The part of the same key in the other one.
  ///   - copies: All parts of that one.
  /// - Returns: Whether they do.
  private func isShared(_ part: Part, of parts: [Part], copy: Part, of copies: [Part]) -> Bool {
    guard part.type.unwrapped == copy.type.unwrapped else { return false }
    // If both hold the fragment that has the field, the whole fragment is set. (Where one of them holds it under a
    // condition, it may not have it.)
    let isInSharedFragment = (part.owners + copy.owners).contains { owner in
      let here = parts.first { $0.key == owner }, there = copies.first { $0.key == owner }
      return here != nil && here?.presence == there?.presence
    }
    return !isInSharedFragment
  }

  private func parts(of property: PropertyPlan, in plan: StructPlan) -> [Part] {
    switch property.source {
    case .field:
      return [Part(key: property.key, type: property.type, presence: property.presence)]
    case .fragment:
      guard case .fragment(let name) = property.key, let fragment = types.names.fragments[name] else { return [] }
      return [Part(key: property.key, type: property.type, presence: property.presence)] + parts(of: fragment)
    case .inlineFragment:
      guard let inline = plan.nested.first(where: { .named($0.name) == property.unconditionalType }) else { return [] }
      let scope = SwiftType.named(inline.name), nested = Set(inline.nested.map(\.name))
      func part(_ property: PropertyPlan, type: SwiftType) -> Part {
        Part(key: property.key, member: property.path, type: type, presence: property.presence)
      }
      let forwarders = inline.forwarders.filter { $0.setter == .throughOwner && !$0.hasOptionalOwner }
      // The members that it is passed are not included: they are passed again each time it is read.
      let own = Set(inline.properties.map(\.name))
      let parts =
        inline.properties.map { part($0, type: $0.type.nested(in: scope, declaring: nested)) }
        + forwarders.filter { own.contains($0.owner) }.map { forwarder in
          Part(
            key: forwarder.key, member: forwarder.path, type: forwarder.type, presence: forwarder.presence,
            owners: inline.stored.filter { $0.name == forwarder.owner }.map(\.key))
        }
      let passed = inline.inherited.map { part($0, type: $0.type) }
      // (So are fragments in fragments that it is passed.)
      let passedInFragments = inline.inherited.filter(\.isUnconditionalFragment).flatMap { fragment in
        self.parts(of: fragment, in: plan).filter { $0.container == nil && !$0.type.isOptional }.map(\.key)
      }
      let optional = partsOfOptionalFragments(
        in: inline, beside: Set((parts + passed).map(\.key)), notIn: Set(passedInFragments))
      return (parts + optional).map { part in
        guard case .inlineFragment(let type) = property.key else { return part }
        var part = part
        part.conditions.insert(type, at: 0)
        return part
      }
    case .deferred: return []
    }
  }

  /// The parts of a named fragment.
  private func parts(of fragment: Fragment) -> [Part] {
    if let parts = partsOfFragments[fragment.name] { return parts }
    let key = MemberKey.fragment(fragment.name), held = data(of: fragment)
    var parts: [Part] = []
    switch held.typename {
    case .stored, .forwarded:
      parts.append(
        Part(
          key: .field("__typename"), member: "__typename", type: .named("String"), presence: .always, owners: [key]))
    case .none, .constant: break
    }
    parts += exports(of: fragment).filter(\.isSettable).map {
      Part(key: $0.key, member: $0.member, type: $0.type, presence: $0.presence, owners: [key])
    }
    let known = parts.map(\.key) + [key]
    parts += partsOfOptionalFragments(in: held, beside: Set(known))
    partsOfFragments[fragment.name] = parts
    return parts
  }

  /// The parts that only the inline fragments of a struct hold, and its fragments under a condition, or those of a
  /// fragment that every object has. What the struct holds as well, it sets in them itself.
  ///
  /// - Parameters:
  ///   - plan: The struct.
  ///   - known: What the struct holds as well.
  ///   - others: Fragments that are left out.
  /// - Returns: The parts.
  private func partsOfOptionalFragments(
    in plan: StructPlan, beside known: Set<MemberKey>, notIn others: Set<MemberKey> = []
  ) -> [Part] {
    holders(plan, except: others).flatMap { holder in
      let scope = SwiftType.named(holder.plan.name), nested = Set(holder.plan.nested.map(\.name))
      return holder.plan.properties.filter { $0.isInlineFragment || $0.isOptionalFragment }.flatMap { property in
        parts(of: property, in: holder.plan).compactMap { part -> Part? in
          if case .inlineFragment = part.key { return nil }
          if known.contains(part.key) { return nil }
          var part = part
          let path = holder.path + property.path
          if part.member == nil, part.container == nil {
            part.member = path
          } else {
            part.container = path + (part.container.map { "?." + $0 } ?? "")
          }
          part.owners += holder.owners
          if property.isInlineFragment { part.type = part.type.nested(in: scope, declaring: nested) }
          return part
        }
      }
    }
  }

  /// A struct, or a fragment that every object of it has.
  private struct Holder {
    var plan: StructPlan
    /// The path to the fragment in the struct, with a dot at its end; empty for the struct itself.
    var path = ""
    /// The fragment, and those around it.
    var owners: [MemberKey] = []
  }

  /// A struct, and the fragments that every object of it has: each once, because the struct sets all copies of one.
  private func holders(_ plan: StructPlan, except others: Set<MemberKey>) -> [Holder] {
    var holders = [Holder(plan: plan)], index = 0, found = others
    while index < holders.count {
      let holder = holders[index]
      index += 1
      for property in holder.plan.properties where property.isUnconditionalFragment {
        guard case .fragment(let name) = property.key, let fragment = types.names.fragments[name],
          found.insert(property.key).inserted
        else { continue }
        holders.append(
          Holder(
            plan: data(of: fragment), path: holder.path + property.path + ".", owners: holder.owners + [property.key]))
      }
    }
    return holders
  }
}
