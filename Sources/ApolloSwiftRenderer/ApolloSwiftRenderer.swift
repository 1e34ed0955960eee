// ApolloSwiftRenderer
