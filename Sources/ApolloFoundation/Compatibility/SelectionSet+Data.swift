public import ApolloAPI

extension SelectionSet {
  /// Reads the data from JSON, under the label of Apollo iOS 1; see ``init(jsonObject:variables:)``.
  ///
  /// - Parameters:
  ///   - data: The JSON object, from `JSONSerialization` or from a literal.
  ///   - variables: The variables of the operation, if it has fields with `@include` or `@skip`. The default is none.
  /// - Throws: ``ResponseDecodingError`` if the JSON does not fit the selection.
  public init(data: JSONObject, variables: Variables = .none) throws {
    try self.init(jsonObject: data, variables: variables)
  }
}
