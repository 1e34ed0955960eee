// ApolloAPI
