package import GraphQLSyntax

/// The arguments of a `@defer` directive.
public struct Deferral: Sendable, Equatable {
  /// The label by which the server refers to the fragment; nil if there is none.
  public var label: String?
  /// The Boolean variable of the argument `if`, which switches `@defer` off if it is false; nil if there is none.
  public var variable: String?
  /// Whether `@defer` is switched off by `if: false`.
  public var isSwitchedOff = false

  static let directive = "defer"

  /// Reads the directives of a selection. nil: the selection is not deferred.
  package init?(_ directives: [Directive]) {
    guard let directive = directives.first(named: Self.directive) else { return nil }
    label = directive.text("label")
    switch directive.argument("if")?.kind {
    case .boolean(false): isSwitchedOff = true
    case .variable(let name): variable = name.value
    default: break
    }
  }
}

extension SelectionSet {
  /// Whether a server may answer in parts, because the selections have `@defer` or `@stream`.
  package var isIncremental: Bool {
    contains { $0.directives.contains { $0.name.value == Deferral.directive || $0.name.value == "stream" } }
  }
}
