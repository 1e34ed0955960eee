import ApolloAPI
import Fixture0025
import Testing

@Suite("Input objects as in releases 0.x") struct LegacyNamingTests {
  func json(_ filter: WorkFilter) -> String {
    var writer = __JSONWriter()
    filter.__write(to: &writer)
    return writer.text
  }

  @Test("A field is left out by the literal nil, and is null where a variable is nil")
  func absence() {
    let airDate: String? = nil, order: WorkOrder? = nil, known: String? = "2026"
    #expect(
      json(WorkFilter(salesforceId: "1", airDate: nil, mainOrder: .byName))
        == #"{"salesforceID":"1","mainOrder":"byName"}"#)
    #expect(
      json(WorkFilter(salesforceId: "1", airDate: airDate, order: order, mainOrder: .byName))
        == #"{"salesforceID":"1","air_date":null,"order":null,"mainOrder":"byName"}"#)
    #expect(
      json(WorkFilter(salesforceId: "1", airDate: known, mainOrder: .byId, names: ["a"]))
        == #"{"salesforceID":"1","air_date":"2026","mainOrder":"BY_ID","names":["a"]}"#)
  }

  @Test("Enums stand by themselves, in lists as well")
  func enums() {
    let order = WorkOrder.latestFirst
    let filter = WorkFilter(
      salesforceId: "1", order: order, fallback: .byName, orders: [.byId, nil], mainOrder: order, limit: 3,
      not: WorkFilter(salesforceId: "2", mainOrder: .byId))
    #expect(
      json(filter)
        == #"{"salesforceID":"1","order":"LATEST_FIRST","fallback":"byName","orders":["BY_ID",null],"#
        + #""mainOrder":"LATEST_FIRST","limit":3,"not":{"salesforceID":"2","mainOrder":"BY_ID"}}"#)
  }

  @Test("Defaults of documents are those of the document")
  func defaults() {
    #expect(
      variables(SearchWorksByIdQuery())
        == #"{"filter":{"salesforceID":"1","air_date":null,"order":"byName","orders":["BY_ID",null],"#
        + #""mainOrder":"LATEST_FIRST"},"order":["byName"]}"#)
  }
}
