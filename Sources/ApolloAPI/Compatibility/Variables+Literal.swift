extension Variables: ExpressibleByDictionaryLiteral {
  /// Makes variables of a dictionary literal, as in `variables: ["full": true]`; see ``init(_:)``.
  ///
  /// A value may be a ``GraphQLNullable``, as in Apollo iOS 1. There is no literal `nil`: no variables are ``none``.
  ///
  /// - Parameter elements: The names and the values. Of several values with one name, the last one counts.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self.init(JSONObject(elements, uniquingKeysWith: { _, last in last }))
  }
}
