import GraphQLSyntax
import Testing

@Suite("Texts that only look alike")
struct ExactTextTests {
  private static let composed = "caf\u{e9}"
  private static let decomposed = "cafe\u{301}"

  @Test("Strings and documents differ if their code points differ, though they are equal for Swift")
  func differ() {
    #expect(Self.composed == Self.decomposed)
    #expect(StringValue(Self.composed) != StringValue(Self.decomposed))
    #expect(StringValue(Self.composed) == StringValue("caf\u{e9}"))
    #expect(Set([StringValue(Self.composed), StringValue(Self.decomposed), StringValue(Self.composed)]).count == 2)
    let document = { (text: String) in Parser.parse("{ a(b: [\"\(text)\"]) }").value }
    #expect(document(Self.composed) != document(Self.decomposed))
    #expect(document(Self.composed) == document(Self.composed))
  }
}
