/// An operation that gives its variables as values, as those do that were written by hand for Apollo iOS 1.
///
///     var __variables: Variables? { ["episode": episode] }
public protocol __HandWrittenVariables {
  /// The variables. nil, the default: the operation writes them by itself, or has none.
  @_disfavoredOverload var __variables: Variables? { get }
}

extension __HandWrittenVariables {
  /// nil: the operation writes its variables by itself, or has none.
  @_disfavoredOverload public var __variables: Variables? { nil }

  /// Writes the values of `__variables`, if there are any.
  public func __writeVariables(to writer: inout __JSONWriter) {
    (__variables as Variables?)?.writeMembers(to: &writer)
  }
}

extension GraphQLOperation {
  /// The values of an operation's variables.
  public typealias Variables = ApolloAPI.Variables
}
