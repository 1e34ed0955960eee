/// How old the value of a field may be, as the schema or the operation says.
enum DeclaredAge: Equatable, Sendable {
  /// Nothing is said.
  case none
  /// In seconds, for this field.
  case seconds(UInt32)
  /// In seconds, for all objects of the type that the field leads to.
  case ofType(UInt32)
  /// As old as the object that has the field.
  case inherited
}

/// How old the values of one selection set may be, and whether they are for one user.
struct TableAges: Sendable {
  /// By the position of the field.
  let fields: [DeclaredAge]
  /// How many seconds old the objects may be, by the type that the fields are selected on; nil if it does not say.
  let type: UInt32?
  /// Whether nothing may be older than the objects on the path to it. Otherwise what is said of the field counts.
  let isLowestOnPath: Bool
  /// The lowest number that is said of a field; nil if there is none.
  let lowest: UInt32?
  /// Whether a number is said of each field, so that the age of the object does not count.
  let saysAll: Bool
  /// Whether the objects are for one user, by the type that the fields are selected on.
  let isPrivate: Bool
  /// The positions of the fields whose values are for one user.
  let privateFields: Set<Int>

  /// - Returns: nil if the table says nothing of ages.
  init?(_ table: ParsedTable) {
    fields = table.fields.map(\.age)
    type = table.typeAge
    isLowestOnPath = table.isLowestOnPath
    lowest =
      fields.compactMap { age -> UInt32? in
        switch age {
        case .seconds(let seconds), .ofType(let seconds): seconds
        case .none, .inherited: nil
        }
      }.min()
    saysAll = table.fields.lazy.filter { $0.name != "__typename" }.allSatisfy { field in
      switch field.age {
      case .seconds, .ofType: true
      case .none, .inherited: false
      }
    }
    isPrivate = table.isPrivate
    privateFields = Set(table.fields.indices.filter { table.fields[$0].isPrivate })
    guard
      isPrivate || !privateFields.isEmpty || type != nil || isLowestOnPath || fields.contains(where: { $0 != .none })
    else { return nil }
  }
}
