import ApolloAPI
import Fixture0021
import StyledTests
import Testing

/// A scalar whose type conforms to `JSONDecodable` and to nothing else.
@Suite("Scalars that can only be read", .everyStyle) struct DecodableScalarTests {
  typealias Query = ReadOnly.SettingsQuery

  @Test("They are read as fields and in lists")
  func reading() throws {
    let data = try read(
      Query(),
      #"{"settings":{"theme":"dark","sizes":[1,2]},"profile":{"__typename":"Profile","name":"Ann","extras":[[1],{}],"plain":null},"plain":{"__typename":"Plain","name":"p"}}"#
    )
    guard case .object(let settings) = data.settings else { return #expect(Bool(false), "an object was sent") }
    #expect(settings["theme"] as? String == "dark")
    #expect((settings["sizes"] as? [Any])?.count == 2)
    #expect(data.profile.extras?.count == 2)
    #expect(
      try read(
        Query(),
        #"{"settings":null,"profile":{"__typename":"Profile","name":"","extras":null,"plain":null},"plain":{"__typename":"Plain","name":""}}"#
      ).settings == nil)
  }

  @Test("What their type refuses is an error with the path")
  func refusal() throws {
    let error = #expect(throws: ResponseDecodingError.self) { try read(Query(), #"{"settings":7}"#) }
    #expect(error?.path == ["settings"])
    #expect(error?.underlyingError is JSONDecodingError)
  }

  @Test("Structs that hold one can be neither compared nor sent; all others can")
  func conformances() throws {
    func isHashable<T>(_ type: T.Type) -> Bool { type is any Hashable.Type }
    #expect(!isHashable(Query.Data.self))
    #expect(!isHashable(Query.Data.Profile.self))
    #expect(!isHashable(ReadOnly.Extras.self))
    #expect(isHashable(ReadOnly.Extras.Plain.self))
    #expect(isHashable(Query.Data.Plain.self))
    // Whether they are Sendable is known to the compiler only.
    func send<T: Sendable>(_ type: T.Type) {}
    send(Query.self)
    send(Query.Data.Plain.self)
  }
}
