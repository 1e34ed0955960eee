@testable import ApolloTransport
import Testing

@testable import Apollo

@Suite("Parts of a response that cost much")
struct IncrementalLimitTests {
  private func bytes(_ text: String) -> ResponseBytes { ResponseBytes(Array(text.utf8)) }

  private func failure(_ limits: ResponseLimits, _ parts: [String]) -> IncrementalResponse.DeliveryError? {
    var response = IncrementalResponse(limits: limits)
    return #expect(throws: IncrementalResponse.DeliveryError.self) {
      for part in parts { _ = try response.merge(bytes(part)) }
    }
  }

  static let first = #"{"data":{"list":[]},"pending":[{"id":"0","path":["list"]}],"hasNext":true}"#
  static let item = #"{"incremental":[{"id":"0","items":[1]}],"hasNext":true}"#

  @Test("Parts, announcements and bytes have limits that the error names")
  func limits() {
    guard case .tooManyParts(3) = failure(ResponseLimits(parts: 3), [Self.first, Self.item, Self.item, Self.item])
    else {
      Issue.record("too many parts")
      return
    }
    let announcement = #"{"pending":[{"id":"1","path":["list"]},{"id":"2","path":["list"]}],"hasNext":true}"#
    let announced = failure(ResponseLimits(announcements: 2), [Self.first, announcement])
    guard case .tooManyAnnouncements(2) = announced else {
      Issue.record("\(announced as Any)")
      return
    }
    #expect(announced?.message.contains("'announcements' of ResponseLimits") == true)
    let size = Self.first.utf8.count + Self.item.utf8.count
    let large = failure(ResponseLimits(responseSize: size), [Self.first, Self.item, Self.item])
    guard case .tooLarge(size) = large else {
      Issue.record("\(large as Any)")
      return
    }
    #expect(large?.message.contains("'responseSize' of ResponseLimits") == true)
  }

  @Test("Announcements of places that never come are limited, and not looked for in each part for ever")
  func unplaced() {
    let many = (1...1_001).map { #"{"id":"\#($0)","path":["nowhere",\#($0)]}"# }.joined(separator: ",")
    let error = failure(ResponseLimits(), [Self.first, #"{"pending":[\#(many)],"hasNext":true}"#])
    guard case .tooManyUnplacedParts(1_000) = error else {
      Issue.record("\(error as Any)")
      return
    }
  }

  @Test("The limits hold for each response, and not for all events of a subscription together")
  func events() throws {
    var response = IncrementalResponse(limits: ResponseLimits(responseSize: 200, parts: 2))
    for _ in 0..<10 {
      #expect(try response.merge(bytes(Self.first)) != nil)
      #expect(try response.merge(bytes(#"{"completed":[{"id":"0"}],"hasNext":false}"#)) != nil)
    }
  }

  @Test(
    "A part that brings nothing gives nothing, however it says so",
    arguments: [
      #"{"hasNext":true}"#, "{}", #"{"incremental":[],"hasNext":true}"#,
      #"{"pending":[],"completed":[],"hasNext":true}"#,
      #"{"incremental":[{"id":"0","items":[]}],"hasNext":true}"#,
      #"{"incremental":[{"id":"0","items":[],"errors":[]}]}"#,
      #"{"incremental":[{"path":[],"data":{}}],"hasNext":true}"#, #"{"extensions":{},"hasNext":true}"#,
    ])
  func nothing(_ part: String) throws {
    var response = IncrementalResponse()
    #expect(try response.merge(bytes(Self.first)) != nil)
    #expect(try response.merge(bytes(part)) == nil)
    #expect(try response.merge(bytes(Self.item)) != nil)
  }

  @Test("Of very many small parts of a large response, not each gives the whole response; the last one has all")
  func manySmall() throws {
    var response = IncrementalResponse()
    let large = String(repeating: "x", count: 8 << 20)
    let first =
      #"{"data":{"text":"\#(large)","list":[]},"pending":[{"id":"0","path":["list"]}],"hasNext":true}"#
    #expect(try response.merge(bytes(first)) != nil)
    // What is given in any case is used up.
    let free = ResponseBudget.initial / (8 << 20)
    var given = 0
    for _ in 0..<1_000 where try response.merge(bytes(Self.item)) != nil { given += 1 }
    #expect(given >= free && given < 1_000, "\(given)")
    let last = try #require(try response.merge(bytes(#"{"completed":[{"id":"0"}],"hasNext":false}"#)))
    #expect(
      last.text.hasSuffix(#""list":[\#(Array(repeating: "1", count: 1_000).joined(separator: ","))]},"hasNext":false}"#)
    )
  }

  @Test("What comes, and the time, pay for results")
  func budget() {
    let start = ContinuousClock.now
    var budget = ResponseBudget()
    budget.earn(0, at: start)
    budget.spend(ResponseBudget.initial + 1000)
    #expect(!budget.allowsResult())
    budget.earn(10, at: start)
    #expect(!budget.allowsResult())
    budget.earn(10, at: start)
    #expect(budget.allowsResult())
    budget.spend(16 << 20)
    budget.earn(0, at: start + .milliseconds(900))
    #expect(!budget.allowsResult())
    budget.earn(0, at: start + .milliseconds(1100))
    #expect(budget.allowsResult())
    // A long time, and very many bytes, count as much as there was at the beginning.
    budget.earn(.max / 2, at: start + .seconds(1_000_000))
    budget.spend(ResponseBudget.initial)
    #expect(!budget.allowsResult())
  }
}
