import ApolloIR

/// An initializer that takes the fields of fragments one by one, instead of the fragments.
struct FlatInitializerPlan {
  struct Parameter {
    var name: String
    var type: SwiftType
    var isDeferred: Bool
  }

  indirect enum Argument {
    case parameter(String)
    /// The parameter `__typename`.
    case typename
    /// The name of the only type that the object can have.
    case typeName(String)
    case fragment(SwiftType, [(label: String, value: Argument)])
  }

  var parameters: [Parameter] = []
  /// The arguments of the memberwise initializer.
  var arguments: [(label: String, value: Argument)] = []
}

extension Planner {
  /// nil for a struct without fragments that every object has, or if two fragments have different members with one
  /// name.
  func flatInitializer(of plan: StructPlan) -> FlatInitializerPlan? {
    guard plan.stored.contains(where: \.isUnconditionalFragment) else { return nil }
    var flat = FlatInitializerPlan()
    guard let arguments = arguments(for: plan, in: plan, &flat) else { return nil }
    flat.arguments = arguments
    return flat
  }

  private func arguments(
    for part: StructPlan, in whole: StructPlan, _ flat: inout FlatInitializerPlan
  ) -> [(label: String, value: FlatInitializerPlan.Argument)]? {
    var arguments: [(label: String, value: FlatInitializerPlan.Argument)] = []
    let scope = SwiftType.named(part.name), nested = Set(part.nested.map(\.name))
    func add(_ name: String, _ type: SwiftType, isDeferred: Bool) -> Bool {
      let type = part.role == .namedFragment ? type.nested(in: scope, declaring: nested) : type
      if let known = flat.parameters.first(where: { $0.name == name }) { return known.type == type }
      flat.parameters.append(.init(name: name, type: type, isDeferred: isDeferred))
      return true
    }
    for key in part.order {
      if case .field = key, let forwarder = part.forwarders.first(where: { $0.key == key }),
        part.stored.contains(where: { $0.name == forwarder.owner && $0.isUnconditionalFragment })
      {
        // The fragment that holds the field takes it below. (Nobody would take what is forwarded to an inline fragment:
        // that is given as a whole.)
        guard add(forwarder.name, forwarder.type, isDeferred: false) else { return nil }
      }
      guard let property = part.stored.first(where: { $0.key == key }) else { continue }
      if property.isUnconditionalFragment, case .fragment(let name) = key, let fragment = types.names.fragments[name] {
        guard let inner = self.arguments(for: self.data(of: fragment), in: whole, &flat) else { return nil }
        arguments.append((property.name, .fragment(property.type, inner)))
      } else {
        guard add(property.name, property.type, isDeferred: property.isDeferred) else { return nil }
        arguments.append((property.name, .parameter(property.name)))
      }
    }
    guard case .stored = part.typename else { return arguments }
    switch whole.typename {
    case .stored, .forwarded: return arguments + [("__typename", .typename)]
    case .constant(let name): return arguments + [("__typename", .typeName(name))]
    case .none: return nil
    }
  }
}

extension PropertyPlan {
  fileprivate var isUnconditionalFragment: Bool {
    if case .fragment = source { !isConditional } else { false }
  }
}
