@testable import ApolloAPI
import StyledTests
import Testing

/// A field that is a part of some keys, and that the document selects under a condition: it stands twice in the table.
@Suite("A key field that is a property under a condition", .everyStyle) struct RepeatedMemberTests {
  struct Item: SelectionSet, Hashable {
    var __typename: String
    var id: String?
    var name: String
    private var __key_code: Int?
    private var __key_id: String?

    static let __fields = __FieldTable(
      version: 3, "__typename code id# id# name ^Node !Book:code !Author:id ?$b")

    init(__reading object: inout __ObjectReader) throws(__ReadError) {
      __typename = try object.typename()
      __key_code = try object.readKey(1)
      __key_id = try object.readKey(2)
      id = try object.read(3, if: 0)
      name = try object.read(4)
    }

    func __writeFields(to writer: inout __JSONWriter) {
      writer.write(0, __typename)
      if let id { writer.write(3, id) }
      writer.write(4, name)
      writer.writeKey(1, __key_code)
      writer.writeKey(2, __key_id)
    }
  }

  @Test(
    "It is read in any order of members, for types with and without it in their key, and written once",
    arguments: ["Author", "Book"], [true, false])
  func reads(type: String, isIncluded: Bool) throws {
    let members = [#""__typename":"\#(type)""#, #""code":7"#, #""id":"i""#, #""name":"n""#]
    let variables = Variables(["b": isIncluded])
    for first in members.indices {
      for second in members.indices where second != first {
        let rest = members.indices.filter { $0 != first && $0 != second }.map { members[$0] }
        let json = "{" + ([members[first], members[second]] + rest).joined(separator: ",") + "}"
        let item = try ResponseReader.readObject(Item.self, from: ResponseBytes(json.utf8), variables: variables).data
        #expect(item.id == (isIncluded ? "i" : nil) && item.name == "n", "\(json)")
        var writer = __JSONWriter(variables: variables)
        item.__write(to: &writer)
        #expect(writer.text.components(of: #""id""#) == (isIncluded || type == "Author" ? 1 : 0), "\(writer.text)")
        let again = try ResponseReader.readObject(
          Item.self, from: ResponseBytes(writer.text.utf8), variables: variables)
        #expect(again.data == item)
      }
    }
  }
}

extension String {
  /// How often a text occurs.
  fileprivate func components(of text: String) -> Int {
    indices.count { self[$0...].hasPrefix(text) }
  }
}
