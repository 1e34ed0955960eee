import ApolloIR

/// If two members of a struct hold one field of the object, as two named fragments that both select it, setting the
/// field in one of them sets it in the other as well.
extension Planner {
  /// A part of a property that another property may hold, too.
  private struct Part {
    var key: MemberKey
    /// The path to the part in the property; nil if it is the whole property.
    var member: String?
    var type: SwiftType
    var presence: Condition
    /// The fragment in the property that holds the part.
    var owner: MemberKey?
    /// The path to the inline fragment, or to the fragment under a condition, that holds the part, below which `member`
    /// begins. Not every object has it.
    var container: String?
    /// The types of the inline fragments on the way to the part.
    var conditions: [String] = []
  }

  func addMirrors(to plan: inout StructPlan) {
    let stored = plan.stored
    let parts = stored.map { self.parts(of: $0, in: plan) }
    for index in stored.indices {
      var mirrors: [MirrorPlan] = []
      for (other, target) in stored.enumerated() where other != index {
        for part in parts[index] {
          for copy in parts[other] where isShared(part, of: parts[index], copy: copy, of: parts[other]) {
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

  private func isShared(_ part: Part, of parts: [Part], copy: Part, of copies: [Part]) -> Bool {
    guard part.key == copy.key, part.type.unwrapped == copy.type.unwrapped else { return false }
    // If both hold the fragment that has the field, the whole fragment is set. (Where one of them holds it under a
    // condition, it may not have it.)
    let isInSharedFragment = [part.owner, copy.owner].contains { owner in
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
      let exports = exports(of: fragment).filter(\.isSettable), held = data(of: fragment)
      var parts = [Part(key: property.key, type: property.type, presence: property.presence)]
      switch held.typename {
      case .stored, .forwarded:
        parts.append(
          Part(
            key: .field("__typename"), member: "__typename", type: .named("String"), presence: .always,
            owner: property.key))
      case .none, .constant: break
      }
      parts += exports.map {
        Part(key: $0.key, member: $0.member, type: $0.type, presence: $0.presence, owner: property.key)
      }
      return parts + partsOfOptionalFragments(in: held, beside: parts)
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
            owner: inline.stored.first { $0.name == forwarder.owner }?.key)
        }
      let passed = inline.inherited.map { part($0, type: $0.type) }
      return (parts + partsOfOptionalFragments(in: inline, beside: parts + passed)).map { part in
        guard case .inlineFragment(let type) = property.key else { return part }
        var part = part
        part.conditions.insert(type, at: 0)
        return part
      }
    case .deferred: return []
    }
  }

  /// The parts that only the inline fragments of a struct hold, and its fragments under a condition. What the struct
  /// holds as well, it sets in them itself.
  private func partsOfOptionalFragments(in plan: StructPlan, beside known: [Part]) -> [Part] {
    let known = Set(known.map(\.key)), scope = SwiftType.named(plan.name), nested = Set(plan.nested.map(\.name))
    return plan.properties.filter { $0.isInlineFragment || $0.isOptionalFragment }.flatMap { property in
      parts(of: property, in: plan).compactMap { part in
        if case .inlineFragment = part.key { return nil }
        if known.contains(part.key) { return nil }
        var part = part
        part.container = property.path + (part.container.map { "?." + $0 } ?? "")
        if property.isInlineFragment { part.type = part.type.nested(in: scope, declaring: nested) }
        return part
      }
    }
  }
}
