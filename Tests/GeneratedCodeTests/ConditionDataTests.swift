import ApolloAPI
import Fixture0003
import Fixture0020
import Testing

/// Models under conditions that are made of their own data, where no variables are known.
@Suite("Data of models with conditions") struct ConditionDataTests {
  /// What becomes of a model whose data is set to what it is.
  private func copied<Model: SelectionSet>(_ model: Model) -> Model {
    var copy = model
    copy.__data = model.__data
    return copy
  }

  private func data(_ query: ConditionsQuery, _ members: String, _ others: String = "") throws -> ConditionsQuery.Data {
    try read(query, #"{"me":{"__typename":"Person","id":"1",\#(members)}\#(others)}"#)
  }

  private let brief = #""friend":null,"both":{"__typename":"Person","id":"2","nickname":"C"},"always":"A""#

  @Test("A field that the variables leave out stays away")
  func skipped() throws {
    let data = try data(ConditionsQuery(a: false, b: true, c: false), brief)
    #expect(data.me?.name == nil && data.me?.both?.nickname == "C" && data.anyone == nil)
    #expect(copied(data) == data)
  }

  @Test("A field that the variables include stays")
  func included() throws {
    let members =
      #""name":"A","friend":{"__typename":"Person","id":"2","name":"B","nickname":"M"},"both":null,"always":"A""#
    let data = try data(
      ConditionsQuery(a: true, b: true, c: false), members,
      #","anyone":{"__typename":"Person","id":"3","name":"X"}"#)
    #expect(data.me?.name == "A" && data.me?.friend?.nickname == "M" && data.anyone?.nicknamed == nil)
    #expect(copied(data) == data)
  }

  @Test("A fragment, and the fields of a group, are there if all of their fields are")
  func fragments() throws {
    let members = #""nickname":"N","friend":null,"both":null,"always":"A","grouped":"G","friends":[]"#
    let data = try data(ConditionsQuery(a: false, b: true, c: true), members)
    #expect(data.me?.nicknamed?.nickname == "N" && data.me?.ifC?.grouped == "G")
    let copy = copied(data)
    #expect(copy == data && copy.me?.ifC?.grouped == "G")

    let without = try read(
      NestedConditionsQuery(a: true, b: false), #"{"me":{"__typename":"Person","id":"1","name":"A"}}"#)
    #expect(without.me != nil && without.me?.withName == nil)
    #expect(copied(without) == without)
  }

  @Test("A part on a type stays, and is left out if fields of it are missing")
  func partsOnTypes() throws {
    let cat = #"{"__typename":"Cat","name":"Tom","meows":true,"owner":null}"#
    let cats = try read(
      PetConditionsQuery(dogs: false, cats: true), #"{"me":{"__typename":"Person","id":"1","pets":[\#(cat)]}}"#)
    #expect(cats.me?.pets?.first??.asCat?.meows == true)
    #expect(copied(cats) == cats)
    #expect(Pet(_dataDict: DataDict(data: ["__typename": "Dog"])).asDog == nil)
    #expect(Pet(_dataDict: DataDict(data: ["__typename": "Dog", "barks": true])).asDog?.barks == true)
  }

  /// `{ ... on Dog @skip(if: $brief) { barks } }`
  private struct Pet: SelectionSet, Hashable {
    var __typename: String
    var asDog: AsDog?

    static let __fields = __FieldTable(version: 1, "__typename ... ?!$brief")

    init(__reading object: inout __ObjectReader) throws(__ReadError) {
      __typename = try object.typename()
      asDog = try object.isType(__TypeSet("Dog"), if: 0) ? object.fragment() : nil
    }

    func __writeFields(to writer: inout __JSONWriter) {
      writer.write(0, __typename)
      writer.write(fragment: asDog)
    }

    struct AsDog: SelectionSet, Hashable {
      var barks: Bool

      static let __fields = __FieldTable(version: 1, "barks")

      init(__reading object: inout __ObjectReader) throws(__ReadError) { barks = try object.read(0) }
      func __writeFields(to writer: inout __JSONWriter) { writer.write(0, barks) }
    }
  }

  @Test("A member is set without loss of others under a condition, and a model is a member")
  func setting() throws {
    var data = try data(ConditionsQuery(a: false, b: true, c: false), brief)
    let me: ConditionsQuery.Data.Me? = data.__data["me"]
    #expect(me == data.me)
    var changed = try #require(me)
    changed.__data["always"] = "B"
    #expect(changed.always == "B" && changed.name == nil && changed.both?.nickname == "C")
    data.__data["me"] = changed
    #expect(data.me == changed)
  }

  @Test("A deferred fragment under a condition stays", arguments: [false, true])
  func deferred(later: Bool) throws {
    let hero = #"{"hero":{"__typename":"Droid","id":"1","name":"n","friends":[],"primaryFunction":"p","details":null}}"#
    let data = try read(DeferredHeroQuery(later: .some(later)), hero)
    #expect(data.hero?.asDroid.value?.primaryFunction == "p")
    #expect(copied(data) == data)
  }
}
