@testable import ApolloAPI
@testable import ApolloCache
import GraphQLExecution
import ResponseStyles
import StyledTests
import Testing

/// An element of a list, as the cache has it.
private struct NaiveElement: Equatable {
  /// The key of the object that may be removed; nil if there is none.
  var key: CacheKey?
  var fields: Record.Fields = [:]
  /// The field that a model may change; nil if it has none.
  var text: String?
}

/// What a model does to the list that it has.
private enum NaiveEdit: Sendable {
  case change(Int, String), remove(Int), swap(Int, Int), insert(Int, String)

  init(_ count: Int, _ name: String, _ random: inout SplitMix) {
    let index = Int.random(in: 0..<count, using: &random)
    switch Int.random(in: 0..<5, using: &random) {
    case 0 where count > 2: self = .remove(index)
    case 1: self = .swap(index, Int.random(in: 0..<count, using: &random))
    case 0, 2: self = .insert(Int.random(in: 0...count, using: &random), name)
    default: self = .change(index, name)
    }
  }

  func apply<Element>(to list: inout [Element], new: (String) -> Element?, change: (inout Element, String) -> Void) {
    switch self {
    case .change(let index, let text): change(&list[index], text)
    case .remove(let index): list.remove(at: index)
    case .swap(let a, let b): list.swapAt(a, b)
    case .insert(let index, let name): if let element = new(name) { list.insert(element, at: index) }
    }
  }

  /// The list of the cache after the edit. What a read leaves out stays if the list of the model has its elements.
  func list(_ list: [NaiveElement], isGone: (NaiveElement) -> Bool, new: (String) -> NaiveElement?) -> [NaiveElement] {
    let shown = list.indices.filter { !isGone(list[$0]) }
    var elements = shown.map { (index: $0, element: list[$0]) }
    apply(to: &elements, new: { name in new(name).map { (index: -1, element: $0) } }) { element, text in
      if element.element.text != nil { element.element.text = text }
    }
    if elements.map(\.index) != shown { return elements.map(\.element) }
    var result = list
    for (index, element) in elements { result[index] = element }
    return result
  }
}

extension CacheBehaviorTests {
  /// A read leaves elements of lists out whose object was removed, so a model has the others at other indices.
  @Suite("Edits of lists of which a read leaves elements out")
  struct LeftOutEditTests {
    private static let schema = """
      type Query {
        letters(first: Int, after: String, order: String): LetterConnection
        feed: [Item!]!, posts: [Post!]!, items: [Ad!]!, grid: [[Ad!]!]!, best: Best, tags: [String]
      }
      type LetterConnection @connection { edges: [LetterEdge] }
      type LetterEdge { cursor: String!, node: Post, text: String, other: String }
      union Item = Post | Ad
      type Post @typePolicy(keyFields: "id") { id: ID!, title: String }
      type Ad { text: String, other: String, inner: Inner, inners: [Inner!] }
      type Inner { x: Int, y: Int }
      type Best { ads: [Ad!]!, page: Best }
      """

    private func post(_ id: String) -> String { #"{"__typename":"Post","id":"\#(id)","title":"t\#(id)"}"# }

    /// The list as the cache has it.
    private func found(_ list: Record.Value?) -> [NaiveElement] {
      guard case .list(let elements)? = list else { return [] }
      return elements.map { element in
        switch element {
        case .reference(let key): return NaiveElement(key: key)
        case .object(var fields):
          var element = NaiveElement()
          if case .reference(let key)? = fields.removeValue(forKey: "node") { element.key = key }
          if case .string(let text)? = fields.removeValue(forKey: "text") { element.text = text }
          (fields["__typename"], fields["cursor"]) = (nil, nil)
          element.fields = fields
          return element
        default: return NaiveElement(text: "null")
        }
      }
    }

    @Test("Random edits of edges change the edges that the model has, and no others", arguments: Effort.seeds(4))
    func edges(seed: UInt64) async throws {
      let scenario = try Scenario(Self.schema)
      var random = SplitMix(state: seed &+ 1), gone: Set<CacheKey> = [], what = "", list: [NaiveElement] = []
      func load(_ ids: [String], _ arguments: String) async throws {
        let edges = ids.map { id in
          #"{"__typename":"LetterEdge","cursor":"c","text":"\#(id)","other":"o\#(id)","node":\#(post(id))}"#
        }
        try await scenario.write(
          "query Q { letters(\(arguments)) { edges { cursor text other node { id title } } } }",
          #"{"letters":{"__typename":"LetterConnection","edges":[\#(edges.joined(separator: ","))]}}"#)
      }
      let ids = (0..<8).map { "\($0)" }
      try await load(ids, "first: 8")
      list = ids.map { NaiveElement(key: "Post:\($0)", fields: ["other": .string("o\($0)")], text: $0) }
      for turn in 0..<40 {
        let shown = list.filter { !gone.contains($0.key ?? "") }
        switch Int.random(in: 0..<5, using: &random) {
        case 0:
          guard let key = shown.randomElement(using: &random)?.key, shown.count > 2 else { continue }
          try await scenario.store.remove(key)
          gone.insert(key)
          what += "\nremoved \(key)"
        case 1:
          guard let key = gone.sorted().randomElement(using: &random) else { continue }
          try await load([String(key.dropFirst(5))], #"order: "X""#)
          gone.remove(key)
          what += "\ncame back \(key)"
        default:
          let edit = NaiveEdit(shown.count, "n\(turn)", &random)
          what += "\n\(edit)"
          list = edit.list(list, isGone: { gone.contains($0.key ?? "") }) { NaiveElement(key: "Post:\($0)", text: $0) }
          try await scenario.edit("query Q { letters { edges { cursor text node { id title } } } }") { data in
            edit.apply(to: &data["letters"]["edges"].elements) { [edges = data["letters"]["edges"]] name in
              edges[0].with(["text": .string(name), "node": edges[0]["node"].with(["id": .string(name)])])
            } change: {
              $0["text"] = .string($1)
            }
          }
        }
        guard case .object(let connection)? = scenario.value("letters"), found(connection["edges"]) == list else {
          Issue.record("found \(String(describing: scenario.value("letters"))), wanted \(list), seed \(seed):\(what)")
          return
        }
      }
    }

    @Test("So do edits of a list with objects without keys between those that are removed", arguments: Effort.seeds(4))
    func mixed(seed: UInt64) async throws {
      let scenario = try Scenario(Self.schema)
      var random = SplitMix(state: seed &+ 1), gone: Set<CacheKey> = [], what = "", list: [NaiveElement] = []
      let elements = (0..<10).map { index in
        index % 3 == 0
          ? post("\(index)") : #"{"__typename":"Ad","text":"\#(index)","other":"o\#(index)"}"#
      }
      try await scenario.write(
        "query Q { feed { ... on Post { id title } ... on Ad { text other } } }",
        #"{"feed":[\#(elements.joined(separator: ","))]}"#)
      list = (0..<10).map { index in
        index % 3 == 0
          ? NaiveElement(key: "Post:\(index)") : NaiveElement(fields: ["other": .string("o\(index)")], text: "\(index)")
      }
      for turn in 0..<30 {
        let isGone = { [gone] (element: NaiveElement) in
          element.text == "null" || element.key.map { gone.contains($0) } ?? false
        }
        let shown = list.filter { !isGone($0) }
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
          guard let key = shown.compactMap(\.key).randomElement(using: &random), shown.count > 3 else { continue }
          try await scenario.store.remove(key)
          gone.insert(key)
          what += "\nremoved \(key)"
        case 1:
          _ = try await scenario.store.removeDanglingReferences()
          list = list.map { isGone($0) ? NaiveElement(text: "null") : $0 }
          what += "\ncollected"
        default:
          guard shown.contains(where: { $0.key == nil }), shown.count > 2 else { continue }
          let edit = NaiveEdit(shown.count, "n\(turn)", &random)
          what += "\n\(edit)"
          list = edit.list(list, isGone: isGone) { NaiveElement(text: $0) }
          try await scenario.edit("query Q { feed { ... on Post { id title } ... on Ad { text } } }") { data in
            edit.apply(to: &data["feed"].elements) { [feed = data["feed"].elements] name in
              feed.first { $0["__typename"] == "Ad" }?.with(["text": .string(name)])
            } change: { element, text in
              if element["__typename"] == "Ad" { element["... on Ad"]["text"] = .string(text) }
            }
          }
        }
        guard found(scenario.value("feed")) == list else {
          Issue.record("found \(String(describing: scenario.value("feed"))), wanted \(list), seed \(seed):\(what)")
          return
        }
      }
    }

    @Test("A change of an object behind a removed one is written to that object")
    func keyed() async throws {
      let scenario = try Scenario(Self.schema)
      let posts = ["1", "2", "3"].map(post).joined(separator: ",")
      try await scenario.write("query Q { posts { id title } }", #"{"posts":[\#(posts)]}"#)
      try await scenario.store.remove("Post:1")
      try await scenario.edit("query Q { posts { id title } }") { $0["posts"][0]["title"] = "new" }
      #expect(scenario.value("title", of: "Post:2") == "new")
      #expect(scenario.fields(of: "Post:1").isEmpty)
    }
  }
}

// MARK: - Lists that a function of the app makes

/// The newest ones with a text, the last one first.
private struct Newest: FieldPolicy.Reader {
  func value(of existing: CachedValue.Field?, in object: FieldPolicy.Context) throws -> CachedValue? {
    guard case .list(let ads)? = existing?.value else { return nil }
    return .list(
      ads.reversed().filter { ad in
        if case .object(let fields) = ad, case .string(let text)? = fields["text"] { text != "old" } else { true }
      })
  }
}

/// What the cache has.
private struct Same: FieldPolicy.Reader {
  func value(of existing: CachedValue.Field?, in object: FieldPolicy.Context) throws -> CachedValue? {
    existing?.value
  }
}

/// An object with its lists turned round.
private struct Best: FieldPolicy.Reader {
  func value(of existing: CachedValue.Field?, in object: FieldPolicy.Context) throws -> CachedValue? {
    existing.map { turned($0.value) }
  }

  private func turned(_ value: CachedValue) -> CachedValue {
    switch value {
    case .list(let values): .list(values.reversed())
    case .object(let fields): .object(fields.mapValues(turned))
    default: value
    }
  }
}

private enum SortedSchema: SchemaMetadata {
  static let configuration: any SchemaConfiguration.Type = Configuration.self

  static func objectType(forTypename typename: String) -> Object? { nil }

  enum Configuration: SchemaConfiguration {
    static let fieldReaders: [String: any FieldPolicy.Reader] = [
      "Query.items": Newest(), "Query.posts": Newest(), "Query.grid": Same(), "Query.best": Best(),
      "Query.tags": Newest(),
    ]
  }
}

extension CacheBehaviorTests.LeftOutEditTests {
  private func sorted(_ items: [String]) async throws -> Scenario {
    var scenario = try Scenario(Self.schema)
    scenario.metadata = SortedSchema.self
    let ads = items.enumerated().map { #"{"__typename":"Ad","text":"\#($1)","other":"o\#($0)"}"# }
    let posts = ["1", "2", "3"].map(post).joined(separator: ",")
    try await scenario.write(
      "query Q { items { text other } posts { id title } }",
      #"{"items":[\#(ads.joined(separator: ","))],"posts":[\#(posts)]}"#)
    return scenario
  }

  private func ad(_ text: Record.Value, _ other: Record.Value? = nil) -> Record.Value {
    var fields: Record.Fields = ["__typename": "Ad", "text": text]
    fields["other"] = other
    return .object(fields)
  }

  @Test("In a list that a function of the app has sorted and filtered, the object changes that the model has")
  func computed() async throws {
    let scenario = try await sorted(["a", "old", "b", "c"])
    try await scenario.edit("query Q { items { text } }") { $0["items"][1]["text"] = "B" }
    #expect(scenario.value("items") == .list([ad("a", "o0"), ad("old", "o1"), ad("B", "o2"), ad("c", "o3")]))
    try await scenario.edit("query Q { items { text } }") { _ in }
    #expect(scenario.value("items") == .list([ad("a", "o0"), ad("old", "o1"), ad("B", "o2"), ad("c", "o3")]))
    try await scenario.edit("query Q { posts { id title } }") { $0["posts"][0]["title"] = "new" }
    #expect(scenario.value("title", of: "Post:3") == "new")
    #expect(scenario.value("title", of: "Post:1") == "t1")
  }

  @Test("If it cannot be told which object that is, the list is written as the model has it")
  func ambiguous() async throws {
    let scenario = try await sorted(["a", "a", "b"])
    try await scenario.edit("query Q { items { text } }") { $0["items"][0]["text"] = "B" }
    #expect(scenario.value("items") == .list([ad("a", "o0"), ad("a", "o1"), ad("B", "o2")]))
    try await scenario.edit("query Q { items { text } }") { $0["items"][1]["text"] = "A" }
    #expect(scenario.value("items") == .list([ad("B", "o2"), ad("A"), ad("a")]))
  }

  @Test("So it is where the objects have objects and lists in them, and none of those is lost")
  func ambiguousWithParts() async throws {
    let scenario = try await sorted([])
    func ad(_ text: String, _ y: String) -> String {
      let inner = #"{"__typename":"Inner","x":1\#(y)}"#
      return #"{"__typename":"Ad","text":"\#(text)","inner":\#(inner),"inners":[\#(inner)]}"#
    }
    let items = ["b", "a", "a"].map { ad($0, #","y":2"#) }.joined(separator: ",")
    try await scenario.write(
      "query Q { items { text inner { x y } inners { x y } } }", #"{"items":[\#(items)]}"#)
    let query = "query Q { items { text inner { x } inners { x } } }"
    try await scenario.edit(query) { $0["items"][0]["text"] = "A" }
    let expected = [ad("b", ""), ad("a", ""), ad("A", "")].joined(separator: ",")
    #expect(try await scenario.read(query) == #"{"items":[\#(expected)]}"#)
    try await scenario.edit(query) { $0["items"].elements.removeLast() }
    #expect(try await scenario.read(query) == #"{"items":[\#(ad("a", "")),\#(ad("b", ""))]}"#)
  }

  @Test("In lists of a list that a function of the app makes, the object changes that the model has")
  func grid() async throws {
    let scenario = try await sorted([])
    let rows = [["a", "b"], ["c"]].map { row in
      "[" + row.map { #"{"__typename":"Ad","text":"\#($0)","other":"o\#($0)"}"# }.joined(separator: ",") + "]"
    }
    try await scenario.write("query Q { grid { text other } }", #"{"grid":[\#(rows.joined(separator: ","))]}"#)
    try await scenario.edit("query Q { grid { text } }") { $0["grid"][0][0]["text"] = "A" }
    #expect(scenario.value("grid") == .list([.list([ad("A", "oa"), ad("b", "ob")]), .list([ad("c", "oc")])]))
    try await scenario.edit("query Q { grid { text } }") { $0["grid"].elements.removeLast() }
    #expect(scenario.value("grid") == .list([.list([ad("A", "oa"), ad("b", "ob")])]))
  }

  @Test("In a list inside of an object that a function of the app makes, the object changes that the model has")
  func around() async throws {
    let scenario = try await sorted([])
    let ads = ["a", "b", "c"].map { #"{"__typename":"Ad","text":"\#($0)","other":"o\#($0)"}"# }.joined(separator: ",")
    let best = #"{"__typename":"Best","ads":[\#(ads)]}"#
    try await scenario.write(
      "query Q { best { ads { text other } page { ads { text other } } } }",
      #"{"best":{"__typename":"Best","ads":[\#(ads)],"page":\#(best)}}"#)
    try await scenario.edit("query Q { best { ads { text } page { ads { text } } } }") { data in
      data["best"]["ads"][0]["text"] = "C"
      data["best"]["page"]["ads"][2]["text"] = "A"
    }
    guard case .object(let best)? = scenario.value("best"), case .object(let page)? = best["page"] else {
      Issue.record("there is no such object")
      return
    }
    #expect(best["ads"] == .list([ad("a", "oa"), ad("b", "ob"), ad("C", "oc")]))
    #expect(page["ads"] == .list([ad("A", "oa"), ad("b", "ob"), ad("c", "oc")]))
  }

  @Test("An object of a list that a function of the app makes is compared with few others")
  func cost() async throws {
    let count = 300, scenario = try await sorted([]), keyCount = Locked(0)
    scenario.store.cacheKeyForObject = { object in
      keyCount.withLock { $0 += 1 }
      return object["x"]
    }
    let items = (0..<count).map { #"{"__typename":"Ad","inner":{"__typename":"Inner","x":1},"text":"\#($0)"}"# }
    try await scenario.write(
      "query Q { items { inner { x } text } }", #"{"items":[\#(items.joined(separator: ","))]}"#)
    keyCount.withLock { $0 = 0 }
    try await scenario.edit("query Q { items { inner { x } text } }") { $0["items"][0]["text"] = "new" }
    // Each comparison of two objects asks for the key of the inner one.
    #expect(keyCount.withLock { $0 } < 20 * count)
    let text = try await scenario.read("query Q { items { text } }")
    #expect(text.hasPrefix(#"{"items":[{"__typename":"Ad","text":"new"}"#))
  }

  @Test("A null in a list that a function of the app makes is written as null")
  func computedNull() async throws {
    let scenario = try await sorted([])
    try await scenario.write("query Q { tags }", #"{"tags":[null,"b","c"]}"#)
    try await scenario.edit("query Q { tags }") { $0["tags"][0] = "C" }
    #expect(scenario.value("tags") == .list([.string("C"), .string("b"), .null]))
  }
}
