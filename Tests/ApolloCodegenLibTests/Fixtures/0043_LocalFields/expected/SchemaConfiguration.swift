public import ApolloAPI

/// The initials are computed of the name.
nonisolated public enum SchemaConfiguration: ApolloAPI.SchemaConfiguration {
  public static let fieldReaders: [String: any FieldReader] = ["User.initials": Initials()]

  private struct Initials: FieldReader {
    func value(of existing: CachedField?, in object: FieldContext) throws -> CachedValue? {
      guard case .string(let name)? = object["name"] else { return nil }
      return .string(String(name.split(separator: " ").compactMap(\.first)))
    }
  }
}
