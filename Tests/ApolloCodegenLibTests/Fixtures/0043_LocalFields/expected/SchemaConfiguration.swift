public import ApolloAPI

/// The initials are computed of the name.
nonisolated public enum SchemaConfiguration: ApolloAPI.SchemaConfiguration {
  public static let fieldReaders: [String: any FieldPolicy.Reader] = ["User.initials": Initials()]

  private struct Initials: FieldPolicy.Reader {
    func value(of existing: CachedValue.Field?, in object: FieldPolicy.Context) throws -> CachedValue? {
      guard case .string(let name)? = object["name"] else { return nil }
      return .string(String(name.split(separator: " ").compactMap(\.first)))
    }
  }
}
