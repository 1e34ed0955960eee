// GraphQLSyntax
