import GraphQLSyntax

/// How much a request to an ``ExecutableSchema`` may ask for. What is more is an error of the request, and nothing is
/// executed.
public struct RequestLimits: Sendable, Equatable {
  /// How many tokens a document may have that
  /// ``ExecutableSchema/respond(to:rootValue:context:)`` parses. nil: any number. The default is 15,000.
  public var maximumTokens: Int? = 15_000
  /// How many comments such a document may have. nil, the default: any number.
  public var maximumComments: Int?
  /// How many Unicode scalars such a document may have. nil, the default: any number.
  public var maximumLength: Int?
  /// How many selection sets may stand in one another, where a spread counts as the selections of its fragment. The
  /// default is 256, and 64 in a build without optimization. More need a thread with a larger stack than the smallest,
  /// which has 512 kB.
  public var maximumDepth = Parser.Options.defaultMaximumDepth

  /// Makes limits with all defaults.
  public init() {}
}
