public import Foundation

extension ApolloStore {
  /// Says how old the values of fields may be, beside what the schema and the operations say with `@cacheControl`.
  ///
  /// A store asks it once for each field of each type in a read; see ``ApolloStore/maxAgeProvider``. Its answers go before
  /// those of the schema and of operations.
  public protocol MaxAgeProvider: Sendable {
    /// How old the value of a field may be.
    ///
    /// - Parameters:
    ///   - field: The name of the field, without arguments.
    ///   - type: The name of the object type that has the field.
    /// - Returns: In seconds; 0 for a field that is always asked from the server. nil: as the schema, the operation, the
    ///   type of the object or ``ApolloStore/defaultMaxAge`` say.
    func maxAge(ofField field: String, onType type: String) -> TimeInterval?

    /// How old the fields of the objects of a type may be, and the fields that lead to them.
    ///
    /// - Parameter type: The name of the object type.
    /// - Returns: In seconds. nil: as the schema or ``ApolloStore/defaultMaxAge`` say.
    func maxAge(ofType type: String) -> TimeInterval?
  }
}

extension ApolloStore.MaxAgeProvider {
  /// nil: it says nothing of types.
  public func maxAge(ofType type: String) -> TimeInterval? { nil }
}

extension ApolloStore {
  /// Says how old values may be in a list of schema coordinates: names of types, and names of fields behind their types.
  ///
  ///     store.maxAgeProvider = ApolloStore.SchemaCoordinatesMaxAgeProvider(["Book": 1800, "Book.price": 60])
  public struct SchemaCoordinatesMaxAgeProvider: MaxAgeProvider {
    /// Ages in seconds by schema coordinates such as `Book` and `Book.price`. The types are object types.
    public var maxAges: [String: TimeInterval]

    /// Makes a provider.
    ///
    /// - Parameter maxAges: Ages in seconds by schema coordinates.
    public init(_ maxAges: [String: TimeInterval]) { self.maxAges = maxAges }

    /// The age of the coordinate `type.field`.
    public func maxAge(ofField field: String, onType type: String) -> TimeInterval? { maxAges["\(type).\(field)"] }

    /// The age of the coordinate `type`.
    public func maxAge(ofType type: String) -> TimeInterval? { maxAges[type] }
  }
}
