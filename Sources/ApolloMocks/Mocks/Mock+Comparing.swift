import ApolloAPI

extension Mock {
  /// Compares the values of two objects, and those of the objects in them.
  public static func == (left: Mock, right: Mock) -> Bool {
    var pairs = [(InnerMock(mock: left), InnerMock(mock: right))], compared: Set<[InnerMock.ID]> = []
    while let (left, right) = pairs.popLast() {
      // Mocks may contain themselves: a pair that was met before differs only if another pair does.
      guard left.id != right.id, compared.insert([left.id, right.id]).inserted else { continue }
      let leftInner = left.mock.inner, rightInner = right.mock.inner
      guard left.id.typename == right.id.typename, left.mock.contents == right.mock.contents,
        leftInner.count == rightInner.count
      else { return false }
      pairs += zip(leftInner, rightInner)
    }
    return true
  }

  /// Feeds the values of the object into a hasher, without those of the objects in it.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(O.typename)
    hasher.combine(contents)
  }
}

/// A mock of any type, as comparisons see it.
private protocol ComparableMock: AnyMock, AnyObject {
  /// What the fields have.
  var contents: [MockContent] { get }
  /// The mocks in the fields, in order.
  var inner: [InnerMock] { get }
}

/// What a field of a mock has, apart from the mocks in it.
private struct MockContent: Hashable {
  /// The value. Mocks in it are written as `true`.
  var json: [UInt8]
  /// The value, if it has no form in JSON.
  var value: AnyHashable?
}

/// The value that a mock has for a field, or for one alias of it.
private struct MockPlace {
  var value: (any __JSONWritable)?
  var isSet: Bool
}

/// A mock in a field of another one.
private struct InnerMock {
  struct ID: Hashable {
    var typename: String
    var object: ObjectIdentifier?
  }

  var mock: any ComparableMock
  /// Whether it is there because the field was not set. All such mocks of a type are equal.
  var isUnset = false

  var id: ID { ID(typename: mock.__typename, object: isUnset ? nil : ObjectIdentifier(mock)) }
}

extension Mock: ComparableMock {
  /// The fields in order, each with its aliases behind it.
  private var places: [MockPlace] {
    O.mockFields.all.flatMap { field -> [MockPlace] in
      let set = values[field.name]
      let whole = MockPlace(value: set ?? field.defaultValue(), isSet: set != nil)
      var found = [whole]
      for alias in field.responseKeys where alias != field.name {
        let own = values[field.aliasKey(alias)]
        found.append(own.map { MockPlace(value: $0, isSet: true) } ?? whole)
      }
      return found
    }
  }

  fileprivate var contents: [MockContent] {
    places.map { place in
      let value = place.value
      return MockSelection.$current.withValue(nil) {
        var writer = __JSONWriter()
        if let value { value.__write(to: &writer) } else { writer.writeNull() }
        return MockContent(json: writer.bytes, value: writer.failure == nil ? nil : value as? AnyHashable)
      }
    }
  }

  fileprivate var inner: [InnerMock] {
    places.flatMap { place -> [InnerMock] in
      let mocks = (place.value as? any MockHolder)?.mocks ?? []
      return mocks.compactMap { mock in
        (mock as? any ComparableMock).map { InnerMock(mock: $0, isUnset: !place.isSet) }
      }
    }
  }
}
