import Apollo
import AppPieces
import AppPiecesInSwift5
import Testing

@Suite("Keys of objects, as apps make and test them")
struct ObjectKeyTests {
  private func key(_ configuration: (some SchemaConfiguration).Type, _ object: JSONObject) -> CacheKeyInfo? {
    configuration.cacheKeyInfo(for: Object(typename: "MediaList"), object: ObjectData(object))
  }

  @Test("A test of an app asks its configuration for the key of an object that is made of JSON")
  func objects() {
    let modes: [(JSONObject) -> CacheKeyInfo?] = [
      { key(AppPieces.MediaConfiguration.self, $0) }, { key(AppPiecesInSwift5.MediaConfiguration.self, $0) },
    ]
    for ask in modes {
      #expect(ask(["id": 5, "mediaId": 7]) == CacheKeyInfo(id: "5.7", uniqueKeyGroup: "MediaList"))
      #expect(ask(["id": 5, "mediaId": JSONNull()]) == CacheKeyInfo(id: "5", uniqueKeyGroup: "MediaList"))
      #expect(ask(["id": JSONNull(), "mediaId": 7]) == nil)
    }
  }

  @Test("A test of an app asks its configuration for the key to which arguments lead")
  func arguments() {
    func key(_ provider: (some FieldPolicy.Provider).Type, _ arguments: JSONObject) -> CacheKeyInfo? {
      provider.cacheKey(
        for: FieldPolicy.Field(name: "media"), inputData: FieldPolicy.InputData(arguments: arguments), path: ["media"])
    }
    let five = CacheKeyInfo(id: "5", uniqueKeyGroup: "MediaList")
    #expect(key(AppPieces.MediaConfiguration.self, ["id": 5]) == five)
    #expect(key(AppPiecesInSwift5.MediaConfiguration.self, ["id": "5"]) == five)
    #expect(key(AppPieces.MediaConfiguration.self, ["id": JSONNull()]) == nil)
  }

  @Test("Scalars of one type are handled together")
  func scalars() {
    #expect(AppPieces.jsonWithoutRepeats(["a", "a"]).map { $0 as? String } == ["a"])
    #expect(AppPiecesInSwift5.jsonWithoutRepeats([1, 1]).map { $0 as? Int } == [1])
  }
}
