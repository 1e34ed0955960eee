public import Apollo
public import ApolloAPI

extension ApolloClient {
  /// A client without a network, for previews and tests: a schema answers all of its operations.
  ///
  ///     #Preview { HeroView(client: .preview(schema)) }
  ///
  /// - Parameter schema: The schema.
  /// - Returns: A client with a cache of its own in memory.
  public static func preview(_ schema: MockSchema) -> ApolloClient {
    ApolloClient(networkTransport: MockNetworkTransport(.schema(schema)))
  }

  /// A client without a network, for previews: it has an answer to one operation, and to no other one.
  ///
  /// - Parameters:
  ///   - operation: The type of the operation, whatever its variables.
  ///   - data: The data of the answer.
  /// - Returns: A client with a cache of its own in memory.
  public static func preview<Operation: GraphQLOperation>(
    _ operation: Operation.Type, data: Operation.Data
  ) -> ApolloClient {
    let transport = MockNetworkTransport()
    transport.expect(operation).respond(data: data)
    return ApolloClient(networkTransport: transport)
  }
}
