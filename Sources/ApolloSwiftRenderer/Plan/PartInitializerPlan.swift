import ApolloIR

/// The types whose objects have an inline fragment.
struct TypeCase: Hashable {
  /// The type condition.
  var type: String
  /// Whether it is an object type, and so the type of the objects.
  var isObject: Bool
}

/// An initializer without `__typename`: it takes a part that only some types have, and has the type of the part.
struct PartInitializerPlan {
  /// The parameter for the part.
  var name: String
  /// The type of the object; nil if the part says it.
  var objectType: String?
  /// The parameters that it does not have.
  var absent: Set<String>
}

extension Planner {
  /// The initializers beside one with these parameters and `__typename`.
  ///
  /// Whichever parts are given, only one of the initializers takes them: the part on an object type decides, or else
  /// the first one. Parts that the object cannot have are not parameters.
  func partInitializers(_ parameters: [InitializerPlan.Parameter]) -> [PartInitializerPlan] {
    guard types.options.naming == .standard else { return [] }
    let cases = parameters.enumerated().compactMap { index, parameter in
      parameter.typeCase.map { (index: index, name: parameter.name, type: $0) }
    }
    return cases.map { part in
      let others = cases.filter { other in
        guard other.index != part.index else { return false }
        let isDecidedByOther = other.type.isObject || !part.type.isObject && other.index < part.index
        return isDecidedByOther || !canSatisfy(part.type.type, other.type.type)
      }
      return PartInitializerPlan(
        name: part.name, objectType: part.type.isObject ? part.type.type : nil, absent: Set(others.map(\.name)))
    }
  }
}
