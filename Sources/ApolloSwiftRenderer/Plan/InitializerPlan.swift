import ApolloIR

/// An initializer that takes the fields of fragments one by one, instead of the fragments.
struct InitializerPlan {
  struct Parameter {
    var name: String
    var type: SwiftType
    var isDeferred: Bool
    /// The field or the named fragment that it takes; nil for an inline or a deferred fragment: each struct has its own.
    var key: MemberKey?
    /// The types whose objects have the inline fragment that it takes; nil for every other parameter.
    var typeCase: TypeCase?
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
  /// Initializers with the same parameters, but without `__typename`: one of the parts tells the type of the object.
  var partInitializers: [PartInitializerPlan] = []
}

extension InitializerPlan.Parameter {
  /// The parameter for a stored property.
  init(_ property: PropertyPlan) {
    let key: MemberKey? =
      switch property.key {
      case .field, .fragment: property.key
      case .inlineFragment, .deferred: nil
      }
    self.init(
      name: property.name, type: property.type, isDeferred: property.isDeferred, key: key, typeCase: property.typeCase)
  }
}

extension Planner {
  /// Plans the initializer of a struct. nil if it has no fragment that every object has, if two different members have
  /// one name, or if one member has two names.
  func flatInitializer(of plan: StructPlan) -> InitializerPlan? {
    guard plan.stored.contains(where: \.isUnconditionalFragment) else { return nil }
    var flat = InitializerPlan()
    guard let arguments = arguments(for: plan, declaring: [], in: plan, &flat) else { return nil }
    flat.arguments = arguments
    if plan.hasVariableTypename { flat.partInitializers = partInitializers(flat.parameters) }
    return flat
  }

  /// The arguments for the struct with the initializer, or for a fragment in it, whose fields become parameters.
  ///
  /// - Parameters:
  ///   - part: The struct, or the fragment.
  ///   - nested: The types that are nested in the fragment. (For the struct itself it is empty: its nested types are
  ///     written without its name, because one of them may have that name, too.)
  ///   - whole: The struct.
  ///   - flat: The initializer.
  /// - Returns: The arguments; nil if two members have one name, or one has two.
  private func arguments(
    for part: StructPlan, declaring nested: Set<String>, in whole: StructPlan, _ flat: inout InitializerPlan
  ) -> [(label: String, value: InitializerPlan.Argument)]? {
    var values: [MemberKey: (label: String, value: InitializerPlan.Argument)] = [:]
    func add(_ parameter: InitializerPlan.Parameter) -> Bool {
      var parameter = parameter
      parameter.type = parameter.type.nested(in: .named(part.name), declaring: nested)
      let known = flat.parameters.first {
        $0.name == parameter.name || $0.key != nil && $0.key == parameter.key
      }
      if let known {
        return known.name == parameter.name && known.key == parameter.key && known.type == parameter.type
      }
      flat.parameters.append(parameter)
      return true
    }
    // In Apollo iOS 1 and later the fields of fragments come behind those that an object selects itself. What is given as
    // a whole, such as a type case, comes last: there is no such parameter in Apollo iOS.
    func rank(_ key: MemberKey) -> Int {
      if case .field = key { return 0 }
      return part.stored.contains { $0.key == key && $0.isUnconditionalFragment } ? 1 : 2
    }
    let order =
      types.options.naming == .legacy
      ? part.order : (0...2).flatMap { group in part.order.filter { rank($0) == group } }
    func nameInFragment(_ key: MemberKey, of forwarder: ForwarderPlan) -> String? {
      guard case .fragment(let name)? = part.stored.first(where: { $0.name == forwarder.owner })?.key else {
        return nil
      }
      return types.names.fragments[name].flatMap { exports(of: $0).first { $0.key == key }?.name }
    }
    for key in order {
      if case .field = key, let forwarder = part.forwarders.first(where: { $0.key == key }),
        part.stored.contains(where: { $0.name == forwarder.owner && $0.isUnconditionalFragment })
      {
        // The fragment that holds the field takes it below. (Nothing would take what is forwarded to an inline
        // fragment: that is given as a whole.)
        guard nameInFragment(key, of: forwarder) == forwarder.name,
          add(.init(name: forwarder.name, type: forwarder.type, isDeferred: false, key: key))
        else { return nil }
      }
      guard let property = part.stored.first(where: { $0.key == key }) else { continue }
      if property.isUnconditionalFragment, case .fragment(let name) = key, let fragment = types.names.fragments[name] {
        let held = data(of: fragment), nested = Set(held.nested.map(\.name))
        guard let inner = self.arguments(for: held, declaring: nested, in: whole, &flat) else { return nil }
        values[key] = (property.name, .fragment(property.type, inner))
      } else {
        guard add(.init(property)) else { return nil }
        values[key] = (property.name, .parameter(property.name))
      }
    }
    var arguments = part.order.compactMap { values[$0] }
    guard case .stored = part.typename else { return arguments }
    let typename: InitializerPlan.Argument
    switch whole.typename {
    case .stored, .forwarded: typename = .typename
    case .constant(let name): typename = .typeName(name)
    case .none: return nil
    }
    arguments.insert(("__typename", typename), at: part.guessesTypename ? arguments.count : 0)
    return arguments
  }
}
