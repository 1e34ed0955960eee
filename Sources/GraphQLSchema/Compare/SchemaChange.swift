public import GraphQLSyntax

/// One difference between two versions of a schema, and what it means for clients that were written for the older one.
public struct SchemaChange: Sendable, Hashable {
  /// What may happen to a client of the older version.
  public enum Severity: String, Sendable, Hashable, Comparable, CaseIterable {
    /// Nothing: whatever was valid is valid, and means the same.
    case safe
    /// Operations stay valid, but may bring something that the client does not expect.
    case dangerous
    /// Operations that were valid may be refused, or may answer with something of another shape.
    case breaking

    public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

    private var rank: Int {
      switch self {
      case .safe: 0
      case .dangerous: 1
      case .breaking: 2
      }
    }
  }

  /// What changed. The raw values are stable.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    case rootTypeAdded = "root-type-added"
    case rootTypeRemoved = "root-type-removed"
    case rootTypeChanged = "root-type-changed"
    case typeAdded = "type-added"
    case typeRemoved = "type-removed"
    case typeKindChanged = "type-kind-changed"
    case interfaceAdded = "interface-added"
    case interfaceRemoved = "interface-removed"
    case unionMemberAdded = "union-member-added"
    case unionMemberRemoved = "union-member-removed"
    case enumValueAdded = "enum-value-added"
    case enumValueRemoved = "enum-value-removed"
    case fieldAdded = "field-added"
    case fieldRemoved = "field-removed"
    case fieldTypeChanged = "field-type-changed"
    /// An argument of a field or a directive.
    case argumentAdded = "argument-added"
    case argumentRemoved = "argument-removed"
    case argumentTypeChanged = "argument-type-changed"
    case inputFieldAdded = "input-field-added"
    case inputFieldRemoved = "input-field-removed"
    case inputFieldTypeChanged = "input-field-type-changed"
    /// The default value of an argument or of an input field.
    case defaultValueAdded = "default-value-added"
    case defaultValueRemoved = "default-value-removed"
    case defaultValueChanged = "default-value-changed"
    case oneOfAdded = "one-of-added"
    case oneOfRemoved = "one-of-removed"
    case specifiedByChanged = "specified-by-changed"
    case directiveAdded = "directive-added"
    case directiveRemoved = "directive-removed"
    case directiveLocationAdded = "directive-location-added"
    case directiveLocationRemoved = "directive-location-removed"
    case directiveRepeatableAdded = "directive-repeatable-added"
    case directiveRepeatableRemoved = "directive-repeatable-removed"
    case deprecationAdded = "deprecation-added"
    case deprecationRemoved = "deprecation-removed"
    case deprecationReasonChanged = "deprecation-reason-changed"
    case descriptionChanged = "description-changed"
  }

  public var kind: Kind
  public var severity: Severity
  /// What changed, as a [schema coordinate](https://spec.graphql.org/September2025/#sec-Schema-Coordinates), such as
  /// `User.posts(first:)`. Empty for the schema itself.
  public var coordinate: String
  /// One sentence.
  public var message: String
  /// Where it stands in the newer version, or in the older one when it was removed.
  public var span: SourceSpan

  public init(
    _ kind: Kind, _ severity: Severity, _ coordinate: String, _ message: String, at span: SourceSpan = .none
  ) {
    self.kind = kind
    self.severity = severity
    self.coordinate = coordinate
    self.message = message
    self.span = span
  }
}
