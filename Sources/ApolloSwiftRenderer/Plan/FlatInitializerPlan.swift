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
    /// The name of the only type that the object can be of.
    case typeName(String)
    case fragment(SwiftType, [(label: String, value: Argument)])
  }

  var parameters: [Parameter] = []
  /// Those of the memberwise initializer.
  var arguments: [(label: String, value: Argument)] = []
}

extension Planner {
  /// nil for a struct without fragments that every object has, and where two fragments have different things under one
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
    if case .stored = part.typename {
      switch whole.typename {
      case .stored: arguments.append(("__typename", .typename))
      case .constant(let name): arguments.append(("__typename", .typeName(name)))
      case .none: return nil
      }
    }
    let scope = SwiftType.named(part.name), nested = Set(part.nested.map(\.name))
    for property in part.stored {
      if property.isUnconditionalFragment, case .fragment(let name) = property.key,
        let fragment = types.names.fragments[name]
      {
        guard let inner = self.arguments(for: self.plan(fragment), in: whole, &flat) else { return nil }
        arguments.append((property.name, .fragment(property.type, inner)))
        continue
      }
      let type = part.role == .namedFragment ? property.type.nested(in: scope, declaring: nested) : property.type
      if let known = flat.parameters.first(where: { $0.name == property.name }) {
        guard known.type == type else { return nil }
      } else {
        flat.parameters.append(.init(name: property.name, type: type, isDeferred: property.isDeferred))
      }
      arguments.append((property.name, .parameter(property.name)))
    }
    return arguments
  }
}

extension PropertyPlan {
  fileprivate var isUnconditionalFragment: Bool {
    if case .fragment = source { !isConditional } else { false }
  }
}
