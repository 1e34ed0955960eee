import ApolloConcurrency
import Apollo
import ApolloAPI
import Foundation

/// What a pager is made of: the engine that loads its pages, and the hub that hands out its outputs.
public struct __PagerRecipe<Model>: Sendable {
  let engine: any PageLoading
  let hub: OutputHub<Model>
  /// Makes the model of what memory has of the first page, as a fetch would read it; nil if it does not have all of it,
  /// and while the user is being signed out.
  let readIfInMemory: @Sendable () -> Model?
  /// Calls a closure when the user of the client signs out, as long as what it returns lives.
  let onSignOut: @Sendable (@escaping @MainActor @Sendable () -> Void) -> AnyObject?

  init<InitialQuery: GraphQLQuery, PaginatedQuery: GraphQLQuery>(
    _ client: any ApolloClientProtocol, first initialQuery: InitialQuery, on queue: DispatchQueue,
    by rules: PageRules<InitialQuery, PaginatedQuery>,
    _ transform: @escaping @Sendable (PaginationOutput<InitialQuery, PaginatedQuery>) throws -> Model
  ) {
    let hub = OutputHub<Model>(queue: queue)
    self.hub = hub
    // Safe: an app's object (see Handoff).
    nonisolated(unsafe) let client = client
    readIfInMemory = {
      guard let page = client.readIfInMemory(initialQuery, under: CachePolicy.returnCacheDataAndFetch), page.hasData
      else { return nil }
      return try? transform(
        PaginationOutput(previousPages: [], initialPage: page, nextPages: [], lastUpdatedPage: .initial(page)))
    }
    onSignOut = { body in (client as? ApolloClient).map { SignOutListener($0, body) } }
    engine = PagerEngine(
      client: client, initialQuery: initialQuery, rules: rules,
      sink: .init(
        send: { output, facts, isCurrent in
          hub.send(facts, ifCurrent: isCurrent) { Handoff(Result { try transform(output.get()) }) }
        },
        forget: hub.forget, flush: hub.flush))
  }
}
