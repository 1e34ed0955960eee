import ApolloIR

/// A named fragment of a struct that can hold fields in place of the struct.
struct HomePlan {
  /// The property that holds the fragment.
  var owner: String
  var fragment: StructPlan
  /// The members to which the struct can forward.
  var exports: [ExportPlan]
}

extension Planner {
  /// The named fragments that every object of the shape has.
  func homes(in shape: Shape, inherited: [PropertyPlan], scope: StructScope) -> [HomePlan] {
    let handed = inherited.compactMap { property -> (String, MemberKey)? in
      property.isConditional ? nil : (property.name, property.key)
    }
    let own = shape.members.compactMap { member -> (String, MemberKey)? in
      guard case .fragment(let fragment) = member, fragment.typeCondition == nil, fragment.condition.isAlways else {
        return nil
      }
      return (scope.properties[member.key] ?? "", member.key)
    }
    return (handed + own).compactMap { owner, key in
      guard case .fragment(let name) = key, let fragment = types.names.fragments[name] else { return nil }
      return HomePlan(owner: owner, fragment: data(of: fragment), exports: exports(of: fragment))
    }
  }

  func typename(of shape: Shape, _ homes: [HomePlan]) -> StructPlan.Typename {
    guard shape.hasTypename else { return .none }
    guard shape.parentType.isAbstract else { return .constant(shape.parentType.name) }
    for home in homes {
      switch home.fragment.typename {
      case .stored, .forwarded: return .forwarded(to: home.owner)
      case .none, .constant: continue
      }
    }
    return .stored
  }

  /// A property for a scalar field of the struct that one of its fragments holds in an equal form.
  func forwarder(_ field: FieldMember, name: String, _ homes: [HomePlan]) -> ForwarderPlan? {
    guard field.shape == nil else { return nil }
    var type = types.output(field.type)
    if !field.condition.isAlways { type = type.asOptional }
    for home in homes {
      let export = home.exports.first { $0.key == .field(field.responseKey) && $0.isSettable }
      guard let export, export.type == type, export.presence == field.condition,
        export.age == field.age
      else { continue }
      var forwarder = export.forwarder(owner: home.owner)
      forwarder.name = name
      forwarder.documentation = documentation(field.description)
      return forwarder
    }
    return nil
  }
}
