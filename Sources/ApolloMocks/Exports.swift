// The file of a public mock has to import what makes a type the value of a field: the conformances of scalars.
@_exported public import ApolloAPI
@_exported public import ApolloFoundation
@_exported public import ApolloJSON
// What the functions of a mock are given and return. (Not the whole module, whose other names are not needed.)
@_exported public import struct GraphQLExecution.ExecutionError
@_exported public import struct GraphQLExecution.ExecutionRequest
@_exported public import enum GraphQLExecution.ExecutionResponse
@_exported public import struct GraphQLExecution.ExecutionResult
@_exported public import enum GraphQLExecution.GraphQLValue
