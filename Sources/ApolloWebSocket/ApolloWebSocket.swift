// ApolloWebSocket
