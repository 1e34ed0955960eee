// ApolloCodegenLib
