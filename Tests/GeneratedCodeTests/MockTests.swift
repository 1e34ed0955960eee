import ApolloAPI
import ApolloFoundation
import ApolloTestSupport
import Fixture0050
import Foundation
import Testing

/// Mocks of a schema whose scalars have types of Swift, of Foundation and of the app. Nothing is written for them.
@Suite("Mocks of mapped scalars") struct MockTests {
  typealias Data = Mapped.EverythingQuery.Data

  let date = Date(timeIntervalSince1970: 1_700_000_000)

  func mock() -> Mock<Everything> {
    Mock<Everything>(
      at: date, bytes: Foundation.Data([1, 2]), count: 7, counts: [nil, .max], days: [date],
      grid: [[date, nil], []], heat: Temperature(celsius: 21.5), heats: [nil, [nil, Temperature(celsius: -3)]],
      key: UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"), link: URL(string: "https://example.com/a"),
      links: [nil], maybeDays: [nil, date], plain: "p", price: Decimal(string: "12.30"), prices: [0, 1], ratio: 0.5,
      theme: Colors(["red"]), themes: [Colors([]), nil], until: date.addingTimeInterval(1))
  }

  @Test("A model has the values of its mock, of every type, in lists and as null")
  func everything() throws {
    let data = try Data.from(Mock<Root>(dated: [mock()], everything: mock(), maybe: nil))
    let model = data.everything
    #expect(model.at == date && model.until == date.addingTimeInterval(1))
    #expect(model.days == [date] && model.maybeDays == [nil, date] && model.grid == [[date, nil], []])
    #expect(model.link?.host() == "example.com" && model.links == [nil])
    #expect(model.key.uuidString.hasPrefix("E621") && model.bytes == Foundation.Data([1, 2]))
    #expect(model.price == Decimal(string: "12.3") && model.prices == [0, 1])
    #expect(model.count == 7 && model.counts == [nil, .max] && model.ratio == 0.5)
    #expect(model.heat.celsius == 21.5 && model.heats == [nil, [nil, Temperature(celsius: -3)]])
    #expect(model.plain == "p" && data.maybe == nil)
    #expect(data.dated?.first?.at == date && data.dated?.first?.asEverything?.heat.celsius == 21.5)
  }

  @Test("Values of a type that can only be read are handed to the model as they are")
  func decodable() throws {
    let model = try Data.from(Mock<Root>(everything: mock())).everything
    #expect(model.theme == Colors(["red"]) && model.themes == [Colors([]), nil])
  }

  @Test("Fields can be read and set one by one")
  func fields() throws {
    let mock = mock()
    #expect(mock.at == date && mock.theme == Colors(["red"]))
    mock.at = date.addingTimeInterval(60)
    mock.grid?.append([nil])
    mock.until = nil
    let model = try Data.from(Mock<Root>(everything: mock, maybe: mock))
    #expect(model.everything.at == date.addingTimeInterval(60) && model.maybe?.since == model.everything.at)
    #expect(model.everything.grid?.last == [nil] && model.everything.until == nil)
  }

  @Test("A field that is not set and has no default is an error with its path")
  func missing() throws {
    let mock = mock()
    mock.at = nil
    let error = #expect(throws: ResponseDecodingError.self) { try Data.from(Mock<Root>(everything: mock)) }
    #expect(error?.path == ["everything", "at"])
  }

  @Test("A value that JSON has no form for is an error")
  func infinite() throws {
    let mock = mock()
    mock.heat = Temperature(celsius: .infinity)
    #expect(throws: JSONEncodingError.self) { try Data.from(Mock<Root>(everything: mock)) }
  }
}
