import ApolloAPI
import StyledTests
import Testing

private struct Older: CustomScalarType, Hashable {
  var value: Int
  init(jsonValue value: JSONValue) throws {
    guard let value = value as? Int else { throw JSONDecodingError.couldNotConvert(value: value, to: Self.self) }
    self.value = value
  }
  var jsonValue: JSONValue { value }
}

private struct Newer: CustomScalarType, Hashable {
  var value: Int
  init(_jsonValue value: JSONValue) throws {
    guard let value = value as? Int else { throw JSONDecodingError.couldNotConvert(value: value, to: Self.self) }
    self.value = value
  }
  var _jsonValue: JSONValue { value }
}

/// A tree of itself: each spelling is used inside of the other.
private struct Nested: CustomScalarType {
  var children: [Nested]
  init(jsonValue value: JSONValue) throws {
    children = try (value as? [JSONValue] ?? []).map { try Nested(_jsonValue: $0) }
  }
  var jsonValue: JSONValue { children.map(\._jsonValue) }
}

private struct Neither: CustomScalarType {}

private struct ReadOnly: JSONDecodable {
  init(jsonValue value: JSONValue) {}
}

@Suite("Spellings of custom scalars", .everyStyle) struct ScalarSpellingTests {
  @Test("Either spelling can be written, and either can be called")
  func spellings() throws {
    #expect(try Older(_jsonValue: 1) == Older(jsonValue: 1))
    #expect(try Newer(_jsonValue: 1) == Newer(jsonValue: 1))
    #expect(try Older(jsonValue: 2)._jsonValue as? Int == 2)
    #expect(try Newer(_jsonValue: 2).jsonValue as? Int == 2)
  }

  @Test("A scalar that is made of itself is not mistaken for one that is not written")
  func nested() throws {
    let value = try Nested(_jsonValue: [[[] as [JSONValue]] as [JSONValue], [] as [JSONValue]] as [JSONValue])
    #expect(value.children.count == 2 && value.children[0].children.count == 1)
    #expect((value._jsonValue as? [JSONValue])?.count == 2)
  }

  @Test("A type with neither spelling is an error that says what to write, and no endless recursion")
  func neither() {
    let spellings: [() throws -> Neither] = [{ try Neither(_jsonValue: 1) }, { try Neither(jsonValue: 1) }]
    for read in spellings {
      let error = #expect(throws: JSONDecodingError.self) { _ = try read() }
      #expect(
        error?.description
          == "Neither conforms to JSONDecodable, but has neither 'init(_jsonValue:)' nor 'init(jsonValue:)'.")
    }
  }

  @Test("Writing with neither spelling stops with a message")
  func writingNeither() async {
    await #expect(processExitsWith: .failure) { _ = Blank(_jsonValue: 1).jsonValue }
  }

  @Test("A value that can only be read is written as null, and the writer knows")
  func readOnly() {
    var writer = __JSONWriter()
    ReadOnly(jsonValue: 1).__write(to: &writer)
    #expect(writer.text == "null")
    #expect(writer.failure?.description == "ReadOnly cannot be written: it does not conform to JSONEncodable.")
  }
}

/// Can be read, but has none of the properties that write it.
private struct Blank: JSONDecodable, JSONEncodable {
  init(_jsonValue value: JSONValue) {}
}
