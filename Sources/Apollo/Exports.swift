// `import Apollo` is enough for users.
@_exported public import ApolloAPI
@_exported public import ApolloCache
@_exported public import ApolloFoundation

#if canImport(FoundationNetworking)
  // Where Foundation is in two modules, code that imports Foundation, as all older code does, gets both.
  @_exported public import FoundationNetworking
#endif
