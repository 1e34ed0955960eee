import ApolloAPI
import Fixture0005
import Testing

/// What `print`, a text in a view, and the debugger show.
@Suite("Printed models") struct PrintingTests {
  private enum Side: String, EnumType {
    case light = "LIGHT"
  }

  @Test("A value of an enum is printed as its name in the schema")
  func enums() {
    let known = GraphQLEnum(Side.light), unknown = GraphQLEnum<Side>.unknown("GREY")
    #expect("\(known) \(unknown)" == "LIGHT GREY")
    #expect("\([known, unknown])" == "[LIGHT, GREY]")
  }

  @Test("A model shows its parts, and nothing of how they are stored")
  func parts() {
    let card = "\(NamedCard(name: "Dune", asBook: .init(name: "Dune", edition: 1, isbn: "2")))"
    #expect(card.contains(#"isbn: "2""#), "\(card)")
    for word in ["Indirect", "box"] { #expect(!card.contains(word), "\(card)") }
    #expect(card.contains("_asAuthor: nil"), "\(card)")
  }
}
