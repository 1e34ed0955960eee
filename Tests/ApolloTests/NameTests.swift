@testable import ApolloRequestChain
import Apollo
import ApolloCore
import Fixture0008
import Foundation
import Testing

@Suite("Names that code of earlier releases uses")
struct NameTests {
  @Test("An operation tells what its type tells, and its variables as values")
  func operation() {
    var query = IdentifiedQuery()
    #expect(query.__variables == nil)
    query.name = "R2"
    #expect(query.operationName == "Hero" && query.operationType == .query)
    #expect(query.operationIdentifier == "abc123" && IdentifiedQuery.operationIdentifier == "abc123")
    #expect(query.definition?.queryDocument == IdentifiedQuery.definition?.queryDocument)
    #expect(query.queryDocument.hasPrefix("query Hero("))
    #expect(query.operationDefinition == query.queryDocument)
    #expect(query.__variables?["name"] as? String == "R2")
    #expect(query.__variables?._jsonEncodableObject._jsonObject.count == 1)
    #expect(query.__variables?._jsonEncodableValue?["name"] as? String == "R2")
    #expect("\(query.variables)" == #"{"name":"R2"}"#)
    #expect(OperationDocument(operationIdentifier: "x").definition == nil)
    #expect(HeroQuery().operationIdentifier == nil)
  }

  @Test("Values of variables stand in a dictionary, and each has a form in JSON, unless it is left out")
  func values() {
    let values: [String: any GraphQLOperationVariableValue] = [
      "a": GraphQLNullable<String>.none, "b": GraphQLNullable<Int>.some(2), "c": GraphQLNullable<Int>.null, "d": "x",
      "e": [1, 2],
    ]
    let json = values.compactMapValues { $0._jsonEncodableValue?._jsonValue }
    #expect(Set(json.keys) == ["b", "c", "d", "e"])
    #expect(json["b"] as? Int == 2 && json["c"] is JSONNull && json["d"] as? String == "x")
    #expect((json["e"] as? [any Sendable])?.last as? Int == 2)
  }

  @Test("Data, results and errors become dictionaries")
  func converter() throws {
    let hero: JSONObject = ["__typename": "Droid", "id": "1", "name": "R2", "height": JSONNull()]
    let data = try HeroQuery.Data(data: ["hero": hero])
    let error = GraphQLError("lost")
    let result = GraphQLResult<HeroQuery.Data>(
      data: data, extensions: nil, errors: [error], source: .server, dependentKeys: nil)
    #expect((JSONConverter.convert(data)["hero"] as? [String: Any])?["name"] as? String == "R2")
    #expect(Set(JSONConverter.convert(result).keys) == ["data", "errors"])
    #expect(JSONConverter.convert(error)["message"] as? String == "lost")
  }

  /// As apps write generic code.
  func name<Data: RootSelectionSet>(_ type: Data.Type) -> String { "\(type)" }
  func copy<Model: MutableRootSelectionSet>(_ model: Model, _ change: (inout Model) -> Void) -> Model {
    var model = model
    change(&model)
    return model
  }

  @Test("Generic code that names the protocols of 1.x takes generated types")
  func protocols() throws {
    #expect(name(HeroQuery.Data.self) == "Data")
    let id: GraphQLID = "1"
    let data = try HeroQuery.Data(data: ["hero": ["__typename": "Droid", "id": id, "name": "R2-D2"] as JSONObject])
    #expect(copy(data) { $0.hero?.name = "C-3PO" }.hero?.name == "C-3PO")
    #expect(throws: ResponseDecodingError.self) { try HeroQuery.Data(data: ["hero": 1]) }
  }

  @Test("The name and the version of the library are those it tells servers")
  func constants() {
    #expect(Constants.ApolloVersion == Constants.ApolloClientVersion)
    #expect(Constants.ApolloClientName == "apollo-swift")
  }

  @Test("JSON is written and read by the names of 1.x, also with values of Foundation")
  func serialization() throws {
    let value: JSONObject = ["b": [1, 2.5, true, NSNull()] as [any Sendable], "a": NSNumber(value: 7)]
    let data = try JSONSerializationFormat.serialize(value: value)
    #expect(String(decoding: data, as: UTF8.self) == #"{"a":7,"b":[1,2.5,true,null]}"#)
    let read = try JSONSerializationFormat.deserialize(data: data) as? JSONObject
    #expect(read?["a"] as? Int == 7)
    #expect(throws: ResponseDecodingError.self) { try JSONSerializationFormat.deserialize(data: Data("{".utf8)) }
    let url = URL(string: "https://example.com")!
    #expect(
      try JSONSerializationFormat.serialize(value: url as any JSONEncodable) == Data(#""https://example.com""#.utf8))
  }

  @Test("An Atomic is changed by one thread at a time")
  func atomic() async {
    let count = Atomic(0)
    await withTaskGroup(of: Void.self) { group in
      for _ in 1...100 { group.addTask { for _ in 1...100 { count.mutate { $0 += 1 } } } }
    }
    #expect(count.value == 10_000)
    #expect(count.increment() == 10_001 && count.value == 10_001)
    #expect(Atomic(0.5).increment() == 1.5)
    @Atomic var name = "a"
    $name.mutate { $0 += "b" }
    #expect(name == "ab")
  }
}

@Suite("Models made of data, as in 1.x")
struct DataDictTests {
  @Test("A model tells its data as JSON, objects as DataDict")
  func data() throws {
    let data = try HeroQuery.Data(jsonObject: [
      "hero": ["__typename": "Droid", "id": "1", "name": "R2-D2"] as JSONObject
    ])
    let hero = data.__data._data["hero"] as? DataDict
    #expect(hero?._data["name"] as? String == "R2-D2")
    #expect(hero?["height"] == AnyHashable(JSONNull()))
    #expect(data.__data["nothing"] == nil)
  }

  @Test("A model is made of a literal, of the data of another model, and of models")
  func made() throws {
    let hero = Hero(
      _dataDict: DataDict(
        data: ["__typename": "Droid", "id": "1", "name": "R2-D2", "height": 1.2],
        fulfilledFragments: [ObjectIdentifier(Hero.self)]))
    #expect(hero.name == "R2-D2" && hero.height == 1.2)
    #expect(Hero(_dataDict: hero.__data) == hero)
    var changed = hero.__data
    changed._data["name"] = "C-3PO"
    changed._data["height"] = Double?.none
    #expect(Hero(_dataDict: changed).name == "C-3PO" && Hero(_dataDict: changed).height == nil)
    let data = HeroQuery.Data(_dataDict: DataDict(data: ["hero": hero]))
    #expect(data.hero == hero)
    #expect(HeroQuery.Data(_dataDict: DataDict(data: ["hero": hero.__data])) == data)
    #expect(
      HeroQuery.Data(
        _dataDict: DataDict(data: ["hero": ["__typename": "Droid", "id": "1", "name": "a"] as [String: AnyHashable]])
      ).hero?.id == "1")
  }

  @Test("Data tells its members by the type that is asked for, and takes others")
  func typed() throws {
    var data = HeroQuery.Data(
      _dataDict: DataDict(data: ["hero": ["__typename": "Droid", "id": "1", "name": "R2-D2"] as [String: AnyHashable]]))
    var hero = try #require(data.__data["hero"] as Hero?)
    let name: String? = hero.__data["name"], height: Double? = hero.__data["height"], none: Int? = hero.__data["none"]
    #expect(name == "R2-D2" && height == nil && none == nil)
    let literal = DataDict(data: [
      "stars": 5, "half": 2.5, "tags": ["a", "b"] as [AnyHashable], "open": true, "hero": hero, "odd": JSONNull(),
    ])
    let stars: Int? = literal["stars"], half: Double? = literal["half"], isOpen: Bool? = literal["open"]
    let tags: [String]? = literal["tags"], odd: [String?]? = literal["odd"], whole: Hero? = literal["hero"]
    #expect(stars == 5 && half == 2.5 && isOpen == true && tags == ["a", "b"] && odd == nil && whole == hero)

    hero.__data["name"] = "C-3PO"
    hero.__data["height"] = 1.67
    #expect(hero.name == "C-3PO" && hero.height == 1.67)
    hero.__data._data["height"] = JSONNull()
    #expect(hero.height == nil)
    data.__data["hero"] = hero
    #expect(data.hero == hero)
    data.__data = DataDict(data: [:])
    #expect(data.hero == nil)
  }

  @Test("A member that is missing, null, or something else than what is asked for is nil")
  func wrongType() {
    let data = DataDict(data: ["name": "R2-D2", "nothing": JSONNull()])
    let number: Int? = data["name"], hero: Hero? = data["name"]
    let missing: String? = data["missing"], nothing: String? = data["nothing"]
    #expect(number == nil && hero == nil && missing == nil && nothing == nil)
  }

  @Test("Data that does not fit stops the program with the path of the field, and what to write")
  func wrong() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = HeroQuery.Data(
        _dataDict: DataDict(data: ["hero": ["__typename": "Droid", "id": "1", "name": [1]] as [String: AnyHashable]]))
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("hero.name"), "\(text)")
    #expect(text.contains("init(data:)"), "\(text)")
  }

  @Test("An input object tells its fields, and a dictionary of fields may stand for one")
  func inputs() {
    let filter = Filter(name: "a", and: [Filter(name: .null)])
    #expect(filter.__data["name"] as? String == "a")
    #expect(filter.__data["options"] == nil)
    #expect((filter.__data["and"] as? [JSONValue])?.count == 1)
    let fields = InputDict(["name": "a", "and": [Filter(name: .null)], "not": GraphQLNullable<Filter>.none])
    #expect(fields == filter.__data)
    #expect(fields._jsonEncodableObject.count == 2)
    let deep = (0..<300).reduce(Filter()) { inner, _ in Filter(and: [inner]) }
    #expect(deep.__data["and"] != nil)
  }
}

@Suite("Responses that an interceptor of the app's own parses")
struct GraphQLResponseTests {
  static let body: JSONObject = [
    "data": ["hero": ["__typename": "Droid", "id": "1", "name": "R2-D2", "height": NSNull()] as JSONObject],
    "extensions": ["cost": 1] as JSONObject,
  ]

  @Test("A body is parsed to a result, with records and without")
  func parse() throws {
    let response = GraphQLResponse(operation: HeroQuery(), body: Self.body)
    let fast = try response.parseResultFast()
    #expect(fast.data?.hero?.name == "R2-D2" && fast.source == .server)
    #expect(fast.extensions?["cost"] as? Int == 1)
    let (result, records) = try response.parseResult()
    #expect(result.data == fast.data)
    #expect(records?["QUERY_ROOT"] != nil)
    #expect(try response.parseResult(withCachePolicy: .fetchIgnoringCacheCompletely).1 == nil)
    let keyed = try response.parseResult(cacheKeyForObject: { $0["id"] }).1
    #expect(keyed?["1"]?["name"] == "R2-D2")
    #expect(throws: ResponseDecodingError.self) {
      try GraphQLResponse(operation: HeroQuery(), body: ["data": ["hero": 1] as JSONObject]).parseResultFast()
    }
  }

  @Test("The errors of a body are read without its data, which need not fit")
  func errorsOnly() {
    let error: JSONObject = ["message": "expired", "extensions": ["code": "UNAUTHENTICATED"] as JSONObject]
    let response = GraphQLResponse(
      operation: HeroQuery(), body: ["data": ["hero": 1] as JSONObject, "errors": [error]])
    let errors = response.parseErrorsOnlyFast()
    #expect(errors?.map(\.message) == ["expired"])
    #expect(errors?.first?.extensions?["code"] as? String == "UNAUTHENTICATED")
    #expect((response.body["data"] as? JSONObject)?["hero"] as? Int == 1)
    #expect(GraphQLResponse(operation: HeroQuery(), body: Self.body).parseErrorsOnlyFast() == nil)
  }

  /// As an app of 0.4x writes it.
  private struct Parsing: HTTPStep, StepInterceptor {
    let usesLegacyResponse: Bool

    func intercept<Operation: GraphQLOperation>(
      request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?
    ) async throws -> NextStep<Operation> {
      guard let response, let body = try JSONSerializationFormat.deserialize(data: response.rawData) as? JSONObject
      else { return .proceed(response) }
      let parsed = GraphQLResponse(operation: request.operation, body: body)
      let (result, records) = try parsed.parseResult(withCachePolicy: request.cachePolicy)
      if usesLegacyResponse { response.legacyResponse = parsed } else { response.cacheRecords = records }
      response.parsedResponse = result
      #expect(try response.legacyResponse?.parseResultFast().data as? HeroQuery.Data == result.data as? HeroQuery.Data)
      return .proceed(response)
    }
  }

  /// Looks at the records of the interceptor before it.
  private struct Looking: HTTPStep, StepInterceptor {
    func intercept<Operation: GraphQLOperation>(
      request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?
    ) async throws -> NextStep<Operation> {
      #expect(response?.cacheRecords?["QUERY_ROOT"]?.fields.count == 1)
      #expect(response?.cacheRecords == response?.cacheRecords)
      let legacy = try #require(response?.legacyResponse)
      #expect((legacy.body["extensions"] as? JSONObject)?["cost"] as? Int == 1)
      #expect(legacy.parseErrorsOnlyFast() == nil)
      return .proceed(response)
    }
  }

  @Test(
    "What it parses, and what the client's own interceptor parses, goes into the cache", arguments: [nil, true, false])
  func cached(usesLegacyResponse: Bool?) async throws {
    let store = ApolloStore()
    let parser: any ApolloInterceptor =
      if let usesLegacyResponse {
        Parsing(usesLegacyResponse: usesLegacyResponse)
      } else {
        JSONResponseParsingInterceptor()
      }
    let client = client([Answering(), parser, Looking(), CacheWriteInterceptor(store: store)], store)
    let result = try await client.fetch(query: HeroQuery())
    #expect(result.data?.hero?.name == "R2-D2")
    let cached = try await store.load(HeroQuery())
    #expect(cached.hero?.name == "R2-D2")
  }

  /// Writes as the interceptor of the library does, as an interceptor of an app of release 2.
  private struct OwnWriting: CacheInterceptor {
    func readCacheData<Request: GraphQLRequest>(
      from store: ApolloStore, request: Request
    ) async throws -> GraphQLResult<Request.Operation.Data>? { nil }

    func writeCacheData<Request: GraphQLRequest>(
      to store: ApolloStore, request: Request, response: ParsedResult<Request.Operation>
    ) async throws {
      try await DefaultCacheInterceptor().writeCacheData(to: store, request: request, response: response)
    }
  }

  @Test("The objects of a response that it has parsed get the keys of the store", arguments: [true, false])
  func keys(isWrittenByApp: Bool) async throws {
    let store = ApolloStore()
    store.cacheKeyForObject = { $0["id"] }
    let writer: any ApolloInterceptor =
      isWrittenByApp ? CacheWriting(interceptor: OwnWriting()) : CacheWriteInterceptor(store: store)
    let client = client([Answering(), Parsing(usesLegacyResponse: true), Looking(), writer], store)
    _ = try await client.fetch(query: HeroQuery())
    #expect(store.dump().contains("hero: → 1"), "\(store.dump())")
  }

  private struct Provider: InterceptorProvider, @unchecked Sendable {
    // Each interceptor is used for one request.
    let all: [any ApolloInterceptor]
    func interceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any ApolloInterceptor] { all }
  }

  private func client(_ interceptors: [any ApolloInterceptor], _ store: ApolloStore) -> ApolloClient {
    let transport = RequestChainNetworkTransport(
      interceptorProvider: Provider(all: interceptors), endpointURL: URL(string: "http://localhost")!)
    return ApolloClient(networkTransport: transport, store: store)
  }

  private struct Answering: HTTPStep, StepInterceptor {
    func intercept<Operation: GraphQLOperation>(
      request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?
    ) async throws -> NextStep<Operation> {
      let status = HTTPURLResponse(url: request.graphQLEndpoint, statusCode: 200, httpVersion: nil, headerFields: nil)!
      let body = try JSONSerializationFormat.serialize(value: GraphQLResponseTests.body)
      return .proceed(HTTPResponse(response: status, rawData: body, parsedResponse: nil))
    }
  }
}
