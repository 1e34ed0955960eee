// ApolloFoundation
