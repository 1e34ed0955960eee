import ApolloAPI

/// The file that a project has once; a page adds to it.
enum SchemaConfiguration: ApolloAPI.SchemaConfiguration {}
