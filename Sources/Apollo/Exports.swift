// `import Apollo` is enough for apps.
@_exported public import ApolloAPI
@_exported public import ApolloCache
@_exported public import ApolloHTTP
@_exported public import ApolloJSON
@_exported public import ApolloOperations
@_exported public import ApolloOutbox
@_exported public import ApolloRequestChain
@_exported public import ApolloTransport

#if canImport(FoundationNetworking)
  // Where Foundation is in two modules, older code imports the first one only, and gets the second one with `Apollo`.
  @_exported public import FoundationNetworking
#endif
