import GraphQLSchema
import GraphQLSyntax

/// Finds the fields of input objects by which a value can contain another value of its own type, other than in a list.
/// Such fields cannot be stored in place.
///
/// The groups are the strongly connected components of the graph of these fields.
struct InputCycles {
  /// The number of the group of each type. Types of one group can contain each other.
  private let groups: [String: Int]

  init(schema: Schema, types: some Sequence<String>) {
    let components = ComponentFinder.components(from: types) { type in
      guard case .inputObject(let object)? = schema.type(named: type) else { return [] }
      return object.fields.compactMap { field in
        if case .inputObject(let next) = ValueType(field.type, in: schema).unwrapped { next } else { nil }
      }
    }
    var groups: [String: Int] = [:]
    for (number, component) in components.enumerated() {
      for type in component { groups[type] = number }
    }
    self.groups = groups
  }

  /// True if a value of `type` may be a part of the value of one of its fields, which is of type `fieldType`.
  func isRecursive(_ fieldType: ValueType, of type: String) -> Bool {
    guard case .inputObject(let name) = fieldType.unwrapped else { return false }
    return groups[name] == groups[type]
  }
}
