public import ApolloAPI

// The members of mocks of Apollo iOS 1 and 2 by which tests make JSON of them.

extension AnyMock {
  /// The object as JSON: its type, the fields that are set, and the defaults of scalars, under all names that operations
  /// give them. A mock inside of itself is null.
  public var _selectionSetMockData: JSONObject {
    (self as? any MockHolder)?.json(within: []) as? JSONObject ?? ["__typename": __typename]
  }
}

extension Mock {
  /// The fields that are set, by their names in the schema or their aliases, and `__typename`. Mocks in them are mocks.
  public var _data: [String: Any] {
    let contents: [String: Any] = values.mapValues { ($0 as? InterfaceMock)?.mock ?? $0 }
    var data: [String: Any] = ["__typename": __typename]
    for (valueKey, value) in contents { data[AnyMockField.responseKey(at: valueKey)] = value }
    return data
  }

  func json(within outer: Set<ObjectIdentifier>) -> JSONValue {
    guard !outer.contains(ObjectIdentifier(self)) else { return JSONNull() }
    let outer = outer.union([ObjectIdentifier(self)])
    var object: JSONObject = ["__typename": __typename]
    for field in O.mockFields.all {
      var shared: JSONValue?
      if let set = values[field.name] {
        shared = json(of: set, within: outer)
      } else if let value = field.defaultValue(), !(value is any MockHolder) {
        // (An object that is not set may have to contain others without end.)
        shared = json(of: value, within: outer)
      }
      for key in field.responseKeys {
        if key != field.name, let own = values[field.aliasKey(key)] {
          object[key] = json(of: own, within: outer)
        } else if let shared {
          object[key] = shared
        }
      }
    }
    return object
  }

  /// A value of a field as JSON; nil for an error in its place.
  private func json(of value: any __JSONWritable, within outer: Set<ObjectIdentifier>) -> JSONValue? {
    if value is MockError { return nil }
    if let holder = value as? any MockHolder { return holder.json(within: outer) }
    var writer = __JSONWriter()
    value.__write(to: &writer)
    let json: JSONValue = (try? ResponseReader.jsonValue(ResponseBytes(writer.bytes))) ?? JSONNull()
    return json
  }
}
