// `import Apollo` is enough for users.
@_exported public import ApolloAPI
@_exported public import ApolloCache
@_exported public import ApolloFoundation
