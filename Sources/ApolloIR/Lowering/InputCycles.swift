import GraphQLSchema
import GraphQLSyntax

/// Finds the fields of input objects by which a value can contain another value of its own type, other than in a list.
/// Such fields cannot be stored in place.
///
/// The groups are the strongly connected components of the graph of these fields, found with Tarjan's algorithm.
struct InputCycles {
  private let schema: Schema
  private var numbers: [String: Int] = [:]
  /// The types that are being visited, and the visited types whose group is not known yet.
  private var open: [String] = []
  /// The number of the group of each type. Types of one group can contain each other.
  private var groups: [String: Int] = [:]

  init(schema: Schema, types: some Sequence<String>) {
    self.schema = schema
    for type in types where numbers[type] == nil { _ = visit(type) }
  }

  /// True if a value of `type` may be a part of the value of one of its fields, which is of type `fieldType`.
  func isRecursive(_ fieldType: ValueType, of type: String) -> Bool {
    guard case .inputObject(let name) = fieldType.unwrapped else { return false }
    return groups[name] == groups[type]
  }

  /// The lowest number of a type that can be reached from here, and leads back.
  private mutating func visit(_ type: String) -> Int {
    let number = numbers.count
    var lowest = number
    numbers[type] = number
    open.append(type)
    if case .inputObject(let object)? = schema.type(named: type) {
      for field in object.fields {
        guard case .inputObject(let next) = ValueType(field.type, in: schema).unwrapped else { continue }
        if let known = numbers[next] {
          if groups[next] == nil { lowest = min(lowest, known) }
        } else {
          lowest = min(lowest, visit(next))
        }
      }
    }
    if lowest == number {
      while let last = open.popLast() {
        groups[last] = number
        if last == type { break }
      }
    }
    return lowest
  }
}
