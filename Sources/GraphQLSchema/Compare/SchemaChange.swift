public import GraphQLSyntax

/// One difference between two versions of a schema, and how it affects clients that were written for the older version.
public struct SchemaChange: Sendable, Hashable {
  /// How a change affects clients of the older version.
  public enum Severity: String, Sendable, Hashable, Comparable, CaseIterable {
    /// It does not affect them: operations that were valid stay valid, and mean what they meant.
    case safe
    /// Operations stay valid, but may receive data that the client does not expect.
    case dangerous
    /// Operations that were valid may be refused, or may receive data of another form.
    case breaking

    /// Orders the severities: safe is less than dangerous, and dangerous less than breaking.
    public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

    private var rank: Int {
      switch self {
      case .safe: 0
      case .dangerous: 1
      case .breaking: 2
      }
    }
  }

  /// What has changed. The raw values are stable names.
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
    /// An argument of a field or of a directive is new.
    case argumentAdded = "argument-added"
    case argumentRemoved = "argument-removed"
    case argumentTypeChanged = "argument-type-changed"
    case inputFieldAdded = "input-field-added"
    case inputFieldRemoved = "input-field-removed"
    case inputFieldTypeChanged = "input-field-type-changed"
    /// The default value of an argument or of an input field is new.
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

  /// What has changed.
  public var kind: Kind
  /// How the change affects clients of the older version.
  public var severity: Severity
  /// The part of the schema that has changed, as a [schema
  /// coordinate](https://spec.graphql.org/September2025/#sec-Schema-Coordinates) such as `User.posts(first:)`. Empty
  /// for the schema itself.
  public var coordinate: String
  /// One sentence that describes the change.
  public var message: String
  /// The place in the newer version, or in the older version if the part was removed.
  public var span: SourceSpan

  /// Makes a change.
  ///
  /// - Parameters:
  ///   - kind: What has changed.
  ///   - severity: How it affects clients of the older version.
  ///   - coordinate: The part of the schema that has changed.
  ///   - message: One sentence that describes the change.
  ///   - span: The place in the schema. By default none.
  public init(
    _ kind: Kind, severity: Severity, coordinate: String, message: String, at span: SourceSpan = .none
  ) {
    self.kind = kind
    self.severity = severity
    self.coordinate = coordinate
    self.message = message
    self.span = span
  }
}
