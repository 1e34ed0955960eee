import ApolloAPI

// Reads the parts of a response. Every member is checked, because no data from a server may stop the process.

extension IncrementalResponse {
  static func objects(_ list: JSONTree?, _ name: String) throws(IncrementalResponse.DeliveryError) -> [JSONTree.Members]
  {
    guard let list, !list.isNull else { return [] }
    guard let elements = list.elements else { throw .malformed("'\(name)' is not a list") }
    var objects: [JSONTree.Members] = []
    for element in elements {
      guard let members = element.members else { throw .malformed("'\(name)' has an element that is not an object") }
      objects.append(members)
    }
    return objects
  }

  /// A string by the draft; some servers count in integers.
  static func identifier(_ entry: JSONTree.Members) throws(IncrementalResponse.DeliveryError) -> String {
    let value = entry["id"]?.value
    guard let id = value as? String ?? wholeNumber(value).map(String.init) else {
      throw .malformed("an entry has no 'id'")
    }
    return id
  }

  static func label(_ entry: JSONTree.Members) -> String { entry["label"]?.value as? String ?? "" }

  static func path(_ value: JSONTree?, _ name: String) throws(IncrementalResponse.DeliveryError) -> [PathComponent] {
    guard let components = value?.value as? [JSONValue] else { throw .malformed("an entry has no '\(name)'") }
    var path: [PathComponent] = []
    for component in components {
      guard let component = PathComponent(jsonValue: component) else {
        throw .malformed("'\(name)' has something else than names and indices")
      }
      path.append(component)
    }
    return path
  }

  /// Whether an increment, or a part that is one, has anything that the response did not have.
  static func bringsSomething(_ entry: JSONTree.Members) -> Bool {
    func isEmpty(_ value: JSONTree?) -> Bool {
      guard let value else { return true }
      return value.members?.names.isEmpty ?? value.elements?.isEmpty ?? false
    }
    return ["data", "items", "errors", "extensions"].contains { !isEmpty(entry[$0]) }
  }

  static func failed(_ errors: [JSONTree]) -> DeferMark { .failed(errors.map { GraphQLError(anyValue: $0.value) }) }
}

/// Places of a response. (A tree of them is as fast for deep ones as for others.)
struct Places: Sendable {
  private var isOneOfThem = false
  private var below: [PathComponent: Places] = [:]

  mutating func insert(_ path: ArraySlice<PathComponent>) {
    guard let first = path.first else { return isOneOfThem = true }
    below[first, default: Places()].insert(path.dropFirst())
  }

  /// Whether a path leads through one of them, and on.
  func areLeft(by path: [PathComponent]) -> Bool {
    var place = self
    for component in path {
      if place.isOneOfThem { return true }
      guard let next = place.below[component] else { return false }
      place = next
    }
    return false
  }
}

extension JSONTree {
  init(_ mark: DeferMark) {
    var writer = __JSONWriter()
    mark.__write(to: &writer)
    self.init(trusted: writer.text)
  }

  /// Changes the value at the end of a path.
  mutating func change(
    _ path: ArraySlice<PathComponent>, of whole: [PathComponent],
    _ body: (inout JSONTree) throws(IncrementalResponse.DeliveryError) -> Void
  ) throws(IncrementalResponse.DeliveryError) {
    guard let first = path.first else { return try body(&self) }
    switch first {
    case .field(let name):
      guard var members = takeMembers() else { throw .noSuchPlace(whole) }
      defer { self = .object(members) }
      try members.change(name) { member throws(IncrementalResponse.DeliveryError) in
        guard member != nil else { throw .noSuchPlace(whole) }
        try member?.change(path.dropFirst(), of: whole, body)
      }
    case .index(let index):
      guard var elements = takeElements() else { throw .noSuchPlace(whole) }
      defer { self = .list(elements) }
      guard elements.indices.contains(index) else { throw .noSuchPlace(whole) }
      try elements[index].change(path.dropFirst(), of: whole, body)
    }
  }
}
