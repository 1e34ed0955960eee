public import ApolloAPI
import ApolloJSON

/// Converts data, results and errors to JSON in the types of `JSONSerialization`, as in Apollo iOS 1.13 to 2.x.
public enum JSONConverter {
  /// The data of a model, as its `jsonObject`.
  public static func convert(_ selectionSet: some SelectionSet) -> [String: Any] { selectionSet.jsonObject }

  /// A result as a server would send it; see ``GraphQLResult/asJSONDictionary()``.
  public static func convert<Data: SelectionSet>(_ result: GraphQLResult<Data>) -> [String: Any] {
    result.asJSONDictionary()
  }

  /// An error as a server has sent it.
  public static func convert(_ error: GraphQLError) -> [String: Any] {
    error.object.mapValues(FoundationJSON.export)
  }
}
