import ApolloAPI
import ApolloJSON
import FirstForms
import Foundation
import SecondForms
import Testing

@Suite("Two modules of a program give a type different forms") struct ModuleFormTests {
  @Test("Each module's models have the form of that module")
  func models() throws {
    let first = try FirstForms.Place(data: ["zone": "GMT"])
    #expect(first.jsonObject["zone"] as? String == "GMT")
    let second = try SecondForms.Place(data: ["zone": 7200])
    #expect(second.jsonObject["zone"] as? Int == 7200)
  }

  @Test("Each module's variables have the form of that module, where they are left out, null or neither")
  func variables() throws {
    let zone = try #require(TimeZone(secondsFromGMT: 7200))
    func json(_ zone: GraphQLNullable<TimeZone>, _ zones: GraphQLNullable<[TimeZone]>) -> String {
      String(decoding: PlacesQuery(zone: zone, zones: zones).variables.json, as: UTF8.self)
    }
    #expect(json(.some(zone), .some([zone])) == #"{"zone":7200,"zones":[7200]}"#)
    #expect(json(.null, .none) == #"{"zone":null,"zones":[]}"#)
    #expect(json(.none, .null) == #"{"zones":null}"#)
  }

  @Test("A decimal number that is the value of a scalar is written as a number, whatever else the type can be")
  func decimals() throws {
    let price = try #require(Decimal(string: "6.990000000000000000000000000001"))
    #expect("\(PricesQuery(price: price).variables)" == #"{"price":\#(price),"cost":\#(price)}"#)
    #expect(
      "\(Variables(["price": price, "list": [price] as [JSONValue]]))" == #"{"list":[\#(price)],"price":\#(price)}"#)
    #expect(try JSONScalar(_jsonValue: Decimal(sign: .plus, exponent: -1, significand: 65)) == .double(6.5))
    #expect(PricesQuery(price: .nan).variables.failure != nil)
  }

  @Test("A type that a module can only read is not written in the form of another module")
  func readOnly() throws {
    let country = try Country(data: ["locale": ["language": "fr"] as JSONObject])
    var writer = __JSONWriter()
    country.__write(to: &writer)
    #expect(writer.text == #"{"locale":null}"# && writer.failure != nil)
    #expect(try Country(country).locale == Locale(identifier: "fr"))
    let mocked = try ResponseReader.model(Country.self, variables: .none) { country.__write(to: &$0) }
    #expect(mocked?.locale == Locale(identifier: "fr"))
  }
}
