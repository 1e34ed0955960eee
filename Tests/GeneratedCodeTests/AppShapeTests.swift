import ApolloAPI
import Fixture0031
import StyledTests
import Testing

/// Models used as apps use those of Apollo iOS: each line is written as in a public app, apart from the names.
@Suite("Shapes that apps use", .everyStyle) struct AppShapeTests {
  static let track = #"{"__typename":"Track","id":"1","name":"Song","album":{"__typename":"Album","title":"Best"}}"#

  @Test("A fragment on one type of a union is found behind that type")
  func narrowerFragment() throws {
    var item = try read(PlaylistQuery(), #"{"item":\#(Self.track)}"#).item
    let track: PlaylistQuery.Data.Item.AsTrack? = item?.asTrack
    #expect(track?.fragments.trackFragment.name == "Song")
    #expect(item?.asTrack?.name == "Song")
    #expect(item?.asTrack?.album.title == "Best")
    #expect(item?.trackFragment?.id == "1")
    #expect(item?.fragments.trackFragment?.id == "1")
    #expect(item?.asEpisode == nil)
    item?.trackFragment?.name = "Other"
    #expect(item?.asTrack?.trackFragment.name == "Other")
    item?.trackFragment = nil
    #expect(item?.asTrack == nil)
    let episode = try read(PlaylistQuery(), #"{"item":{"__typename":"Episode","show":"S"}}"#).item
    #expect(episode?.asTrack == nil && episode?.trackFragment == nil && episode?.asEpisode?.show == "S")
  }

  @Test("An object that is selected directly has what a fragment selects of it, with its fragments")
  func mergedObject() throws {
    let agreement = """
      {"__typename":"Agreement","price":"5","displayItems":[{"__typename":"DisplayItem","title":"t","value":"v"}],\
      "addons":[{"__typename":"Addon","displayName":"a","addonVariant":"b"}]}
      """
    let contract = try read(
      ContractsQuery(), #"{"contract":{"__typename":"Contract","id":"1","currentAgreement":\#(agreement)}}"#
    ).contract
    #expect(contract.currentAgreement.fragments.agreementFragment.price == "5")
    #expect(contract.currentAgreement.price == "5")
    #expect(contract.currentAgreement.addons.map { $0.addonVariant } == ["b"])
    let item: ContractsQuery.Data.Contract.CurrentAgreement.DisplayItem? = contract.currentAgreement.displayItems.first
    #expect(item?.title == "t" && item?.value == "v")
    #expect(contract.contractFragment.currentAgreement.addons.first?.displayName == "a")
  }

  @Test("Types of merged fields stand under their parents")
  func mergedTypes() throws {
    let wallet = #"{"__typename":"Wallet","address":"0x","object":null}"#
    let object = try read(
      PastObjectQuery(id: "1"),
      #"{"object":{"__typename":"Object","owner":\#(wallet),"contents":null,"fields":[{"__typename":"Field","key":"k"}]}}"#
    ).object
    let owner: PastObjectQuery.Data.Object.Owner? = object?.owner
    #expect(owner?.fragments.ownerFields.address == "0x")
    #expect(object?.fields?.map { $0.key } == ["k"])
    let friend: PlaylistQuery.Data.Item.AsTrack.Album? = try read(
      PlaylistQuery(), #"{"item":\#(Self.track)}"#
    ).item?.asTrack?.album
    #expect(friend?.title == "Best")
  }

  @Test("What is there under a condition is a part of the object, with nothing optional that the condition promises")
  func conditions() throws {
    let wallet = #"{"__typename":"Wallet","address":"0x","object":{"__typename":"Object","contents":null}}"#
    func object(_ bcs: Bool, _ owner: Bool) throws -> PastObjectQuery.Data.Object? {
      let contents = #"{"__typename":"Contents","type":"T"\#(bcs ? #","bcs":"B""# : "")}"#
      return try read(
        PastObjectQuery(id: "1", showBcs: bcs, showOwner: owner),
        #"{"object":{"__typename":"Object","owner":\#(wallet),"contents":\#(contents),"fields":null}}"#
      ).object
    }
    let full = try #require(try object(true, true))
    #expect(full.contents?.ifShowBcs?.bcs == "B")
    #expect(full.contents?.ifShowBcs?.type == "T")
    #expect(full.ifShowOwner?.owner?.address == "0x")
    let asWallet: PastObjectQuery.Data.Object.Owner.AsWalletIfShowOwner? = full.owner?.asWalletIfShowOwner
    #expect(asWallet?.object != nil)
    let short = try #require(try object(false, false))
    #expect(short.contents?.ifShowBcs == nil && short.ifShowOwner == nil && short.owner?.asWalletIfShowOwner == nil)
    #expect(short.owner?.address == "0x")
  }

  @Test("Models are made of flat fields, and what may be null may be left out")
  func initializers() {
    let person = PeopleQuery.Data.Person(friend: .init(id: "2", name: "Luke"), id: "1", name: "Brad")
    #expect(person.personFragment == PersonFragment(id: "1", name: "Brad"))
    #expect(person.friend?.friendFragment.name == "Luke")
    #expect(person == PeopleQuery.Data.Person(personFragment: person.personFragment, friend: person.friend))
    #expect(PeopleQuery.Data(people: []).people.isEmpty)
  }

  @Test("A model made of flat fields has what it was given, also below type conditions and conditions")
  func flatInlineFragments() {
    typealias Owner = PastObjectQuery.Data.Object.Owner
    let fields = OwnerFields(__typename: "Wallet", address: "0x")
    let wallet = Owner.AsWallet(
      ownerFields: fields, object: .init(contents: .init(type: "T")))
    let owner = Owner(address: "0x", asWallet: wallet)
    #expect(owner == Owner(ownerFields: fields, asWallet: wallet))
    #expect(owner.address == "0x" && owner.__typename == "Wallet")
    #expect(owner.asWallet?.object?.contents?.type == "T")
    #expect(owner.asWalletIfShowOwner?.object?.contents?.type == "T")
  }
}
