import ApolloAPI
import Fixture0008
import Testing

@Suite("Input objects") struct InputTests {
  @Test("An input object may contain others of its type, and a copy of it changes alone")
  func recursion() {
    let inner = Filter(and: .some([Filter(name: "c")]))
    let query = SearchQuery(where: Filter(name: "a", not: .some(inner), options: .null))
    let json = #"{"where":{"name":"a","not":{"and":[{"name":"c"}]},"options":null},"limit":3,"order":"DESCENDING"}"#
    #expect(variables(query) == json)
    var copy = query
    copy.where.not = .some(Filter(name: "b"))
    #expect(variables(query) == json)
    #expect(copy != query && copy.where.not.unwrapped?.name == "b")
    copy.where.not = .some(inner)
    #expect(copy == query && copy.hashValue == query.hashValue)
    copy.where.not = .none
    #expect(copy.where.not == .none)
  }

  @Test("One of several fields may be made of itself")
  func oneOf() {
    #expect(variables(AttachMutation(to: "1")) == #"{"to":"1","media":[{"link":"https://example.com"}]}"#)
    let media: [Media] = [.copy(.copy(.album([.link("a"), .filter(Filter(name: .null))])))]
    #expect(
      variables(AttachMutation(to: "1", media: media))
        == #"{"to":"1","media":[{"copy":{"copy":{"album":[{"link":"a"},{"filter":{"name":null}}]}}}]}"#)
  }

  @Test("Fields that the schema deprecates are arguments of a second initializer, which is deprecated")
  func deprecation() {
    var options = SearchOptions(limit: 1)
    #expect(variables(SearchQuery(where: Filter(options: .some(options)))).contains(#""options":{"limit":1}"#))
    let old = (DeprecatedCall.self as any Maker.Type).make()
    #expect(old != options && old.old == true)
    options.old = true
    #expect(old == options)
  }

  @Test("What has a default in the schema is left out unless it is set")
  func defaults() {
    let query = SearchQuery(
      where: Filter(options: .some(SearchOptions(limit: 1, tags: .some([["x"], nil])))), order: .ascending, after: "2")
    #expect(
      variables(query)
        == #"{"where":{"options":{"limit":1,"tags":[["x"],null]}},"limit":3,"order":"ASCENDING","after":"2"}"#)
  }
}

private protocol Maker {
  static func make() -> SearchOptions
}

/// Calls what is deprecated, which warns elsewhere.
private enum DeprecatedCall: Maker {
  @available(*, deprecated) static func make() -> SearchOptions { SearchOptions(limit: 1, old: true) }
}
