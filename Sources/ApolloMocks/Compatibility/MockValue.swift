/// What types of scalars had to conform to in version 0.1, so that a mock could have them.
@available(
  *, deprecated, message: "Remove the conformance: every scalar of a model can be the value of a mock's field."
)
public protocol MockValue {}
