/// The schema beside this file.
public enum FeedSchema {
  /// The text of the schema, in the schema definition language.
  public static var text: String { String(decoding: PackageResources.schema_graphqls, as: UTF8.self) }
}
