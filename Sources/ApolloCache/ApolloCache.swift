// ApolloCache
