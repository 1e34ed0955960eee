// What the interface of this library mentions: diagnostics, and the options of rendering.
@_exported public import ApolloSwiftRenderer
@_exported public import GraphQLSyntax
