// `import Apollo` is enough for users.
@_exported public import ApolloAPI
@_exported public import ApolloCache
@_exported public import ApolloHTTP
@_exported public import ApolloJSON
@_exported public import ApolloOperations
@_exported public import ApolloOutbox
@_exported public import ApolloRequestChain
@_exported public import ApolloTransport

#if canImport(FoundationNetworking)
  // Where Foundation is in two modules, code that imports Foundation, as all older code does, gets both.
  @_exported public import FoundationNetworking
#endif
