// Mocks, and what needs no suite, are a module of their own, which apps may link for previews.
@_exported public import ApolloMocks
