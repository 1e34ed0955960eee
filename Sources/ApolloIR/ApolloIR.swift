// ApolloIR
