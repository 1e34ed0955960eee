public import GraphQLSyntax

extension Diagnostic.Code {
  /// A label of `@defer` or `@stream` that is not a fixed name of its own.
  public static let invalidIncrementalLabel = Self("invalid-incremental-label")
}

extension Rule {
  /// Labels of `@defer` and `@stream` are literal strings, each used once.
  public static let deferStreamDirectiveLabel = Rule(
    "DeferStreamDirectiveLabel", section: nil, reports: .invalidIncrementalLabel
  ) {
    DeferStreamDirectiveLabelVisitor()
  }
}

private final class DeferStreamDirectiveLabelVisitor: RuleVisitor {
  private var labels: [ExactText: SourceSpan] = [:]

  func enter(_ directives: [Directive], at place: DirectivePlace, _ context: ValidationContext) {
    for directive in directives where directive.name.value == "defer" || directive.name.value == "stream" {
      guard let label = directive.argument("label"), !label.isNull else { continue }
      guard case .string(let text) = label.kind else {
        let title = directive.name.value == "defer" ? "Defer" : "Stream"
        context.report(
          .invalidIncrementalLabel, "Argument \"@\(directive.name)(label:)\" must be a static string.",
          at: directive.span, help: "\(title) labels name their part of the response.")
        continue
      }
      let name = ExactText(text.value)
      guard let first = labels[name] else {
        labels[name] = directive.span
        continue
      }
      context.report(
        .invalidIncrementalLabel,
        "Value for arguments \"defer(label:)\" and \"stream(label:)\" must be unique across all Defer/Stream directive usages.",
        at: directive.span, labels: [.init("first used here", at: first)])
    }
  }
}
