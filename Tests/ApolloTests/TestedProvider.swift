import Apollo
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What the clients of the tests send by. (Tests/WithTraits runs some of these tests with another engine.)
func testedProvider(
  _ configuration: URLSessionConfiguration, store: ApolloStore, options: DefaultInterceptorProvider.Options
) -> DefaultInterceptorProvider {
  DefaultInterceptorProvider(
    client: URLSessionClient(sessionConfiguration: configuration), store: store, options: options)
}
