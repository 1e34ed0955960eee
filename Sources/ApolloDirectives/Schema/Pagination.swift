/// How the cache makes one list of the pages of a field.
public struct Pagination: Sendable, Equatable {
  /// What a page is.
  public enum Style: String, Sendable, CaseIterable {
    /// A connection, by the GraphQL Cursor Connections Specification: `first`, `last`, `before`, `after`.
    case relay
    /// A part of a list from an index on: `offset`, `limit`.
    case offset
    /// A part of a list by its number: `page`, `size`.
    case page
    /// What comes behind everything that came before.
    case append
    /// Nothing: the arguments are only left out of the key.
    case key

    /// The arguments that mean something, in the order of ``Pagination/arguments``.
    public var roles: [String] {
      switch self {
      case .relay: ["first", "last", "before", "after"]
      case .offset: ["offset", "limit"]
      case .page: ["page", "size"]
      case .append, .key: []
      }
    }
  }

  /// What a page is.
  public var style: Style
  /// The arguments, or paths such as `input.after`, that tell pages apart: one for each of the style's roles, empty if
  /// the field has none for it, and then others.
  public var arguments: [String]
  /// Whether the pages behind the first one stay when it is loaded again, if they fit.
  public var keepsPages = false
  /// The number of the first page.
  public var firstPage = 1
}
