@testable import ApolloAPI
@testable import ApolloCache
import ApolloIR
import GraphQLSchema
import RandomDocuments

/// Changes the data of an operation at random places: in one of the copies of a field, or in several.
struct RandomEdit {
  let schema: Schema
  let store: NaiveRecords
  var random: Random
  /// A list was changed whose objects have no key.
  private(set) var hasMovedPlaces = false
  private(set) var log: [String] = []
  private var count = 0

  init(schema: Schema, store: NaiveRecords, seed: UInt64) {
    self.schema = schema
    self.store = store
    random = Random(seed)
  }

  mutating func apply(to object: Tree.Object) -> Tree.Object {
    var result = object
    for _ in 0..<(1 + random.below(4)) where !hasMovedPlaces {
      change(&result, "")
    }
    return result
  }

  /// Changes one of the members, or something inside of it.
  private mutating func change(_ object: inout Tree.Object, _ path: String) {
    guard !object.members.isEmpty, let plan = object.plan else { return }
    let index = random.below(object.members.count)
    var member = object.members[index]
    let path = path + "." + member.key
    switch (member.place, member.value) {
    case (.fragment, .object(var fragment)):
      change(&fragment, path)
      member.value = .object(fragment)
    case (.fragment, _), (.keyField, _): break
    case (.field(let position), _):
      guard let type = plan.type(at: position), !isKey(position, of: object) else { return }
      let stored = object.place.flatMap { store.fields(at: $0)[store.fieldName(position, in: plan)] }
      change(&member.value, type, stored, path)
    }
    object.members[index] = member
  }

  private func isKey(_ position: Int, of object: Tree.Object) -> Bool {
    guard let plan = object.plan else { return true }
    let name = store.fieldName(position, in: plan)
    return name == "__typename" || ["id", "part", "code", "number", "text"].contains(name)
  }

  private mutating func change(_ value: inout Tree, _ type: ValueType, _ stored: Record.Value?, _ path: String) {
    if type.isNullable, value != .null, random.one(in: 6) {
      log.append("\(path) = nil")
      value = .null
      return
    }
    switch (type.unwrapped, value) {
    case (.object, .object(var object)):
      change(&object, path)
      value = .object(object)
    case (.list(let element), .list(var elements)):
      if random.one(in: 2), !elements.isEmpty {
        let index = random.below(elements.count)
        var storedElement: Record.Value?
        if case .list(let values)? = stored, values.indices.contains(index) { storedElement = values[index] }
        change(&elements[index], element, storedElement, "\(path).\(index)")
      } else {
        change(&elements, of: element, stored, path)
      }
      value = .list(elements)
    case (.object, .null), (.list, .null): break
    case (let leaf, _):
      value = newLeaf(leaf)
      log.append("\(path) = \(value)")
    }
  }

  private mutating func newLeaf(_ type: ValueType) -> Tree {
    count += 1
    return switch type {
    case .scalar(.int): .int(1000 + count)
    case .scalar(.float): .double(Double(count) + 0.25)
    case .scalar(.boolean): .bool(random.one(in: 2))
    default: .string("new \(count)")
    }
  }

  // MARK: Lists

  private mutating func change(
    _ elements: inout [Tree], of type: ValueType, _ stored: Record.Value?, _ path: String
  ) {
    // An error stays where it is, as long as there is a null.
    if case .list(let values)? = stored, values.contains(where: { if case .error = $0 { true } else { false } }) {
      return
    }
    let places = elements.contains { element in
      if case .object(let object) = element {
        object.place?.steps.isEmpty == false || object.place == nil
      } else {
        false
      }
    }
    let hasLists = elements.contains { if case .list = $0 { true } else { false } }
    if places || (hasLists && type.leaf == .object) {
      // What moves is known by what is in it: no two may look the same, and nothing else may be changed.
      guard log.isEmpty, !hasLists, Set(elements).count == elements.count,
        !elements.contains(where: { $0.hasOnlyTypename })
      else { return }
      hasMovedPlaces = true
    }
    // (What takes the place of an object without a key is that object, changed.)
    let operation = elements.isEmpty ? 0 : random.below(hasMovedPlaces ? 3 : 4)
    log.append("\(path): \(["append", "remove", "swap", "replace"][operation])")
    switch operation {
    case 0: if let new = newElement(elements, type) { elements.append(new) }
    case 1: elements.remove(at: random.below(elements.count))
    case 2: elements.swapAt(random.below(elements.count), random.below(elements.count))
    default: if let new = newElement(elements, type) { elements[random.below(elements.count)] = new }
    }
  }

  private mutating func newElement(_ elements: [Tree], _ type: ValueType) -> Tree? {
    if type.isNullable, random.one(in: 4) { return .null }
    switch type.unwrapped {
    case .object:
      let objects = elements.filter { if case .object = $0 { true } else { false } }
      guard !objects.isEmpty, case .object(let object) = random.element(of: objects) else { return nil }
      return copy(of: object).map { .object($0) }
    case .list: return .list([])
    case let leaf: return newLeaf(leaf)
    }
  }

  /// Another object with the same members, or almost; nil if its key cannot be changed.
  private mutating func copy(of object: Tree.Object) -> Tree.Object? {
    guard let typename = object.typename, case .object(let type)? = schema.type(named: typename) else { return nil }
    count += 1
    let keys = ConsistentServer.keyFields(of: type, schema)
    if keys.isEmpty {
      var copy = object.withoutPlaces
      guard copy.changeText(to: "new \(count)") else { return nil }
      return copy
    }
    guard keys.count == 1, object.place?.steps.isEmpty == true else { return nil }
    guard case .object(var copy) = Tree.object(object).with([keys[0]: .string("new\(count)")]),
      copy.members.contains(where: { $0.key == keys[0] })
    else { return nil }
    copy = copy.withoutPlaces
    copy.setPlace(NaivePlace(record: "\(typename):new\(count)"))
    return copy
  }
}

extension ModelPlan {
  func type(at position: Int) -> ValueType? {
    for case .field(position, let type, _) in steps.map(\.source) { return type }
    return nil
  }
}

extension Tree {
  fileprivate var hasOnlyTypename: Bool {
    guard case .object(let object) = self else { return false }
    return object.members.isEmpty
  }

  fileprivate var withoutPlaces: Tree {
    switch self {
    case .object(let object): .object(object.place?.steps.isEmpty == true ? object : object.withoutPlaces)
    case .list(let elements): .list(elements.map(\.withoutPlaces))
    default: self
    }
  }
}

extension Tree.Object {
  /// The object and the objects without a key in it, as new ones.
  fileprivate var withoutPlaces: Self {
    var copy = self
    copy.place = nil
    for index in copy.members.indices {
      if case .fragment = copy.members[index].place, case .object(let fragment) = copy.members[index].value {
        copy.members[index].value = .object(fragment.withoutPlaces)
      } else {
        copy.members[index].value = copy.members[index].value.withoutPlaces
      }
    }
    return copy
  }

  fileprivate mutating func setPlace(_ place: NaivePlace) {
    self.place = place
    for index in members.indices {
      guard case .fragment = members[index].place, case .object(var fragment) = members[index].value else { continue }
      fragment.setPlace(place)
      members[index].value = .object(fragment)
    }
  }

  /// Changes a text, or a number, in the object itself. False if it has none.
  fileprivate mutating func changeText(to text: String) -> Bool {
    for index in members.indices {
      if case .string = members[index].value {
        members[index].value = .string(text)
        return true
      }
    }
    return false
  }
}
