public import ApolloAPI

extension SelectionSet {
  /// Reads the data from JSON, by the label of releases 1.x of Apollo iOS; see ``init(jsonObject:variables:)``.
  ///
  /// - Parameters:
  ///   - data: As `JSONSerialization` or a literal gives it.
  ///   - variables: Those of the operation, if it has fields under `@include` or `@skip`.
  /// - Throws: ``ResponseDecodingError`` if the JSON does not fit the selection.
  public init(data: JSONObject, variables: Variables = .none) throws {
    try self.init(jsonObject: data, variables: variables)
  }
}
