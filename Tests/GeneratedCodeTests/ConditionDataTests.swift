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

  @Test("What a field tells of a variable counts for the parts of an object that have only nullable fields")
  func groups() throws {
    let members =
      #""name":"A","friend":{"__typename":"Person","id":"2","name":"B"},"both":{"__typename":"Person","id":"3","name":"C"},"always":"A""#
    let data = try data(
      ConditionsQuery(a: true, b: true, c: false), members,
      #","anyone":{"__typename":"Person","id":"3","name":"X"}"#)
    let both = try #require(data.me?.both), copy = try #require(copied(data).me?.both)
    #expect(both.ifNotA == nil && both.ifA != nil)
    #expect(copy.ifNotA == nil && copy.ifA != nil)
  }

  @Test("A part on one type that is not there takes none away on another type")
  func partsOnTwoTypes() throws {
    let dog = #"{"__typename":"Dog","name":"Rex","owner":null}"#
    let cat = #"{"__typename":"Cat","name":"Tom","meows":true,"owner":null}"#
    for pets in [[dog, cat], [cat, dog]] {
      let data = try read(
        PetConditionsQuery(dogs: false, cats: true),
        #"{"me":{"__typename":"Person","id":"1","pets":[\#(pets.joined(separator: ","))]}}"#)
      #expect(copied(data).me?.pets?.compactMap { $0?.asCat?.meows } == [true])
    }
    let members: [[String: AnyHashable]] = [["__typename": "Dog"], ["__typename": "Cat", "meows": true]]
    for members in [members, members.reversed()] {
      let pair = Pair(_dataDict: DataDict(data: ["pets": members.map { DataDict(data: $0) }]))
      #expect(pair.pets.map(\.asDog) == [nil, nil] && pair.pets.compactMap(\.asCat?.meows) == [true])
    }
  }

  private struct Pair: SelectionSet, Hashable {
    var pets: [Pet]

    static let __fields = __FieldTable(version: 1, "pets")

    init(__reading object: inout __ObjectReader) throws(__ReadError) { pets = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, pets) }
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

  /// `{ ... on Dog @skip(if: $brief) { barks } ... on Cat @include(if: $cats) { meows } }`
  private struct Pet: SelectionSet, Hashable {
    var __typename: String
    var asDog: AsDog?
    var asCat: AsCat?

    static let __fields = __FieldTable(version: 1, "__typename ... ?!$brief ?$cats")

    init(__reading object: inout __ObjectReader) throws(__ReadError) {
      __typename = try object.typename()
      asDog = try object.isType(__TypeSet("Dog"), if: 0) ? object.fragment() : nil
      asCat = try object.isType(__TypeSet("Cat"), if: 1) ? object.fragment() : nil
    }

    func __writeFields(to writer: inout __JSONWriter) {
      writer.write(0, __typename)
      writer.write(fragment: asDog)
      writer.write(fragment: asCat)
    }

    struct AsCat: SelectionSet, Hashable {
      var meows: Bool

      static let __fields = __FieldTable(version: 1, "meows")

      init(__reading object: inout __ObjectReader) throws(__ReadError) { meows = try object.read(0) }
      func __writeFields(to writer: inout __JSONWriter) { writer.write(0, meows) }
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
