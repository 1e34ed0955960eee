/// Where the schema beside this file comes from.
public enum BookSchema {
  public static let version = "2026-11"
}
