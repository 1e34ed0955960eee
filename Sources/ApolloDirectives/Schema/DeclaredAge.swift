import GraphQLSyntax

/// What `@cacheControl` or `@cacheControlField` says about the age of a value.
public enum DeclaredAge: Sendable, Hashable {
  /// A number of seconds.
  case seconds(Int)
  /// The value is as old as the object that has it may be.
  case inherited

  /// Reads a directive. nil if it says nothing of age, as one that only has a scope, or if it is not valid.
  init?(_ directive: Directive) {
    let seconds = Self.seconds(directive)
    switch (seconds, Self.inherits(directive)) {
    case (let seconds?, false) where 0...Self.greatest ~= seconds: self = .seconds(seconds)
    case (nil, true): self = .inherited
    default: return nil
    }
  }

  /// The greatest number of seconds, which is that of the type `Int`.
  static let greatest = Int(Int32.max)

  /// Whether the directive has `inheritMaxAge: true`.
  static func inherits(_ directive: Directive) -> Bool {
    if case .boolean(true)? = directive.argument("inheritMaxAge")?.kind { true } else { false }
  }

  private static func seconds(_ directive: Directive) -> Int? {
    if case .int(let digits)? = directive.argument("maxAge")?.kind { Int(digits) ?? .max } else { nil }
  }
}
