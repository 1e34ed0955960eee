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
  /// The fields that are set, by their names in the schema, and `__typename`. Mocks in them are mocks.
  public var _data: [String: Any] {
    var data: [String: Any] = values.mapValues { ($0 as? InterfaceMock)?.mock ?? $0 }
    data["__typename"] = __typename
    return data
  }

  func json(within outer: Set<ObjectIdentifier>) -> JSONValue {
    guard !outer.contains(ObjectIdentifier(self)) else { return JSONNull() }
    let outer = outer.union([ObjectIdentifier(self)])
    var object: JSONObject = ["__typename": __typename]
    for field in O.mockFields.all {
      let set = values[field.name]
      // (An object that is not set may have to contain others without end.)
      guard let value = set ?? field.defaultValue(), set != nil || !(value is any MockHolder), !(value is MockError)
      else { continue }
      let json: JSONValue
      if let holder = value as? any MockHolder {
        json = holder.json(within: outer)
      } else {
        var writer = __JSONWriter()
        value.__write(to: &writer)
        json = (try? ResponseReader.jsonValue(ResponseBytes(writer.bytes))) ?? JSONNull()
      }
      for key in field.responseKeys { object[key] = json }
    }
    return object
  }
}
