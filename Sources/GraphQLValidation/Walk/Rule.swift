public import GraphQLSyntax

/// A rule that documents must follow. ``Validator/Options`` chooses the rules.
public struct Rule: Sendable, Hashable, CustomStringConvertible {
  /// The name that GraphQL implementations give the rule, such as `FieldsOnCorrectType`.
  public let name: String
  /// The section of the specification with the rule; nil if it is not in the specification.
  public let section: String?
  /// The codes of the diagnostics that the rule reports.
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

  /// The name of the rule.
  public var description: String { name }

  /// Compares names.
  public static func == (left: Rule, right: Rule) -> Bool { left.name == right.name }
  /// Feeds the name into a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
