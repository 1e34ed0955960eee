// The values of records are declared there.
@_exported public import ApolloAPI
