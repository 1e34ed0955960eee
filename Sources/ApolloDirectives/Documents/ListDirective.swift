/// A directive on a field of a mutation or a subscription that changes lists of the cache. The names are those of Relay.
public struct ListDirective: Sendable, Equatable {
  /// What the directive does.
  public enum Kind: String, Sendable, CaseIterable {
    case appendNode, prependNode, appendEdge, prependEdge, deleteEdge, deleteRecord
  }

  /// What the directive does.
  public var kind: Kind
  /// The fields that lead to the field, and the field itself.
  public var path: [Step]

  /// A field on the way.
  public struct Step: Sendable, Equatable {
    /// The name in the response.
    public var name: String
    /// The types of the objects whose field it is. nil: all that the field before leads to.
    public var types: [String]?
  }

  /// A text, or a variable with one.
  public enum Text: Sendable, Equatable {
    /// A variable, by its name without `$`.
    case variable(String)
    /// The text itself.
    case literal(String)
  }

  /// The paths of lists.
  public enum Connections: Sendable, Equatable {
    /// A variable with all of them, by its name without `$`.
    case variable(String)
    /// One after the other.
    case list([Text])
  }

  /// The paths of the lists; nil if the directive needs none.
  public var connections: Connections?
  /// The type of new edges; nil if it is not said.
  public var edgeType: String?
  /// The type of the object that an ID is of; nil if it is not said.
  public var typename: String?
}
