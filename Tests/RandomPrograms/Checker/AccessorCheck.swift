import ApolloAPI
import GraphQLExecution
import RandomAccessors
import RandomDocuments

/// Compares every property of a model, those that lead into fragments included, with the object that it stands for.
struct AccessorCheck {
  private let operation: NaiveOperation
  /// A named fragment has what it selects itself, and views show what fragments have: a field that stands under a
  /// condition there may be nil although others select it as well.
  private var isInFragment = false
  /// Which types stand for the object at each place of the response. There are several where two fragments select the field that
  /// leads to it.
  private var types: [String: Set<ObjectIdentifier>] = [:]
  private var place = ""

  private let responseKeys: Set<String>

  init(_ operation: NaiveOperation) {
    self.operation = operation
    responseKeys = operation.responseKeys
  }

  /// The types whose objects have other copies, of other types, and of those below them.
  var sharedTypes: Set<ObjectIdentifier> {
    let shared = types.filter { $0.value.count > 1 }.map(\.key)
    return types.filter { place, _ in shared.contains { place == $0 || place.hasPrefix($0 + ".") } }
      .reduce(into: []) { $0.formUnion($1.value) }
  }

  /// - Parameter object: What the server sent, as far as the app knows its type.
  mutating func check(_ model: Any, _ object: GraphQLValue, at path: String) throws {
    guard let model = model as? any HasAccessors else { throw Mismatch("\(path) has no accessors: \(type(of: model))") }
    var visitor = AccessorVisitor()
    model.visit(&visitor)
    for (name, value) in visitor.accessors {
      let place = "\(path).\(name)"
      let keys = (object.object?.keys ?? []).filter {
        plain($0) == plain(name) && $0.prefix { $0 == "_" } == name.prefix { $0 == "_" }
      }
      if name == "__typename" {
        // (Of the root it is known without being sent.)
        if let value, let typename = object["__typename"] { try compare(value, typename, at: place) }
      } else if let value {
        try check(value, keys.compactMap { object[$0] }, of: object, at: place)
      } else if isView(name) {
        // What is in it is optional in the object, and is compared there.
        continue
      } else if isFragment(name) {
        try checkAbsence(name, in: object, at: place)
      } else if hasToBeThere(object), isOfOneKey(name), let key = keys.first,
        keys.allSatisfy({ object[$0]?.isNull == false })
      {
        throw Mismatch("\(place) is nil, and \(key) was sent: \(object[key] ?? .null)")
      }
    }
  }

  private mutating func check(_ value: Any, _ candidates: [GraphQLValue], of object: GraphQLValue, at path: String)
    throws
  {
    if value is any Fragment || value is any __FragmentContainer && !(value is any SelectionSet) {
      let outer = isInFragment
      isInFragment = outer || !(value is any InlineFragment)
      defer { isInFragment = outer }
      return try check(value, object, at: path)
    }
    let outer = place
    place += "." + plain(String(path.split(separator: ".").last ?? ""))
    defer { place = outer }
    var failure: any Error = Mismatch("\(path) is there, and was not sent: \(value)")
    // Two keys may differ in case only.
    for candidate in candidates {
      do {
        return try compare(value, candidate, at: path)
      } catch {
        failure = error
      }
    }
    throw failure
  }

  private mutating func compare(_ value: Any, _ json: GraphQLValue, at path: String) throws {
    if value is any HasAccessors {
      types[place, default: []].insert(ObjectIdentifier(type(of: value)))
      return try check(value, json, at: path)
    }
    if let list = value as? [Any], let elements = json.list, list.count == elements.count {
      for (index, (value, element)) in zip(list, elements).enumerated() {
        let inner = unwrapped(value)
        if inner == nil, element.isNull { continue }
        try compare(inner ?? "nil", element, at: "\(path)[\(index)]")
      }
      return
    }
    guard let writable = value as? any __JSONWritable else { throw Mismatch("\(path) cannot be written: \(value)") }
    var writer = __JSONWriter()
    writable.__write(to: &writer)
    let found = try GraphQLValue(json: writer.text.utf8)
    guard found == json else { throw Mismatch("\(path) is \(found), and \(json) was sent") }
  }

  /// A fragment may be absent if the object is of another type, or under a condition.
  private func checkAbsence(_ name: String, in object: GraphQLValue, at path: String) throws {
    guard !operation.hasConditions else { return }
    for applied in operation.alwaysApplied(to: object) where plain(applied) == plain(name) {
      throw Mismatch("\(path) is nil, and the object is of its type: \(object["__typename"] ?? .null)")
    }
  }

  /// A field under a condition may be nil where a fragment on another type, which the object happens to be of as well,
  /// selects it without.
  private func hasToBeThere(_ object: GraphQLValue) -> Bool {
    !operation.hasConditions || !isInFragment && !operation.hasTypeConditions(for: object)
  }

  /// Of two keys that differ in case only, one may be missing, and its property is not that of the other one.
  private func isOfOneKey(_ name: String) -> Bool { responseKeys.count { plain($0) == plain(name) } < 2 }

  private func isFragment(_ name: String) -> Bool {
    operation.fragmentAccessors.contains { plain($0) == plain(name) }
  }

  /// The accessor for what is there under a condition.
  private func isView(_ name: String) -> Bool {
    let name = plain(name)
    return operation.booleanVariables.contains { name.contains("if") && name.hasSuffix(plain($0)) }
  }

  private func plain(_ name: String) -> String { name.filter { $0 != "_" }.lowercased() }

  private func unwrapped(_ value: Any) -> Any? {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .optional else { return value }
    return mirror.children.first?.value
  }
}
