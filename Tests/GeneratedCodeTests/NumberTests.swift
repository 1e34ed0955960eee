import ApolloAPI
import Fixture0024
import StyledTests
import Testing

@Suite("Numbers of the sizes that a configuration names", .everyStyle) struct NumberTests {
  @Test("They are read and written as numbers, alone, in lists and where they may be null")
  func fields() throws {
    let data = try roundTrip(
      SumsQuery(),
      #"{"sums":{"__typename":"Sums","count":7,"total":null,"ratio":0.1,"counts":[1,null,-3],"ratios":[1,2.5]}}"#)
    let sums = try #require(data.sums)
    let counts: [Int32?] = sums.counts, ratios: [Float]? = sums.ratios
    #expect(sums.count == Int32(7) && sums.ratio == Float(0.1) && counts == [1, nil, -3] && ratios == [1, 2.5])
  }

  @Test("A number that does not fit is an error at its place")
  func range() {
    let error = #expect(throws: ResponseDecodingError.self) {
      try read(
        SumsQuery(),
        #"{"sums":{"__typename":"Sums","count":7,"total":2147483648,"ratio":0.1,"counts":[],"ratios":null}}"#)
    }
    #expect(error?.path == ["sums", "total"])
    #expect(error?.reason == .numberOutOfRange)
  }

  @Test("Variables and input fields are sent as numbers, with the defaults that documents and schema declare")
  func inputs() {
    #expect(variables(SumsQuery()) == #"{"factor":1.5,"limit":10}"#)
    let count: Int32 = 5
    let range = Range(first: 1, last: .some(count), steps: [0.1, 2])
    #expect(
      variables(SumsQuery(range: .some(range), factor: 0.3, limit: count, counts: [1, nil]))
        == #"{"range":{"first":1,"last":5,"steps":[0.1,2]},"factor":0.3,"limit":5,"counts":[1,null]}"#)
  }
}
