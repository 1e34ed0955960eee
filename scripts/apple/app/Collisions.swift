// A file of an app that imports modules with equal names. `Docs/requests.md` says how to tell them apart.

import Apollo
import Combine
import HTTPTypes

final class Loader {
  var call: (any Apollo.Cancellable)?
  var subscription: (any Combine.Cancellable)?

  func intercept<Operation: GraphQLOperation>(_ request: Apollo.HTTPRequest<Operation>) -> HTTPTypes.HTTPRequest {
    HTTPTypes.HTTPRequest()
  }

  func record(_ record: Apollo.Record) -> CacheKey { record.key }

  func load<Query: GraphQLQuery>(_ query: Query, from client: ApolloClient) {
    call = client.fetch(query: query) { _ in }
  }
}
