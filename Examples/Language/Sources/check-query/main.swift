import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation

let sdl = Source("type Query { user(id: ID!): User }\ntype User { name: String }", name: "schema.graphqls")
let query = Source("query Me {\n  user(id: 1) { nmae }\n}", name: "Me.graphql")

let schema = SchemaValidator.validate([sdl])
let document = Parser.parse(query)
var diagnostics = schema.diagnostics + document.diagnostics
if let schema = schema.value?.value {
  diagnostics += Validator.validate(document.value, against: schema).diagnostics
}
var renderer = DiagnosticRenderer(.terminal(isColored: false), sources: SourceMap([sdl, query]))
print(renderer.render(diagnostics))
