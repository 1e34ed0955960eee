public import GraphQLSyntax

/// A rule that documents must obey, to be chosen in ``Validator/Options``.
public struct Rule: Sendable, Hashable, CustomStringConvertible {
  /// The name that GraphQL implementations give it, such as `FieldsOnCorrectType`.
  public let name: String
  /// The section of the specification that states it, or `nil` when the specification does not.
  public let section: String?
  /// The codes of what it reports.
  public let codes: [Diagnostic.Code]
  let makeVisitor: @Sendable () -> any RuleVisitor

  init(
    _ name: String, section: String?, reports codes: Diagnostic.Code...,
    by makeVisitor: @escaping @Sendable () -> any RuleVisitor
  ) {
    self.name = name
    self.section = section
    self.codes = codes
    self.makeVisitor = makeVisitor
  }

  public var description: String { name }

  public static func == (left: Rule, right: Rule) -> Bool { left.name == right.name }
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
