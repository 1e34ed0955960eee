import Apollo
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What the clients of the tests send by. (Tests/WithTraits runs some of these tests with another engine.)
func testedProvider(
  _ configuration: URLSessionConfiguration, store: ApolloStore, options: DefaultInterceptorProvider.Options,
  origins: OriginPolicy = OriginPolicy(), limits: ResponseLimits = ResponseLimits()
) -> DefaultInterceptorProvider {
  let client = URLSessionClient(sessionConfiguration: configuration)
  client.origins = origins
  client.limits = limits
  return DefaultInterceptorProvider(client: client, store: store, options: options)
}
