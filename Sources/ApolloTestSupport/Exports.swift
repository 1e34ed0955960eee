// The file of a public mock has to import what makes a type the value of a field: the conformances of scalars.
@_exported public import ApolloAPI
@_exported public import ApolloFoundation
