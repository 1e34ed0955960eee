import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation

/// The GraphQL front end, on the largest schema that is published: GitHub's.
func frontEnd(_ bytes: [UInt8]) -> [Benchmark] {
  guard !bytes.isEmpty else { return [] }
  let source = Source(utf8: bytes, name: "github.graphql")
  var lenient = SchemaValidator.Options()
  lenient.isLenient = true
  lazy var schema = SchemaValidator.validate([source], options: lenient).value?.value
  return [
    Benchmark("github lex", bytes.count) { blackHole(source.tokens()) },
    Benchmark("github parse", bytes.count) { blackHole(Parser.parse(source)) },
    Benchmark("github bytes to validated schema", bytes.count) {
      let source = Source(utf8: bytes, name: "github.graphql")
      blackHole(SchemaValidator.validate([source], options: lenient))
    },
    validation("introspection query", IntrospectionQuery().text) { schema },
    validation("hello x 300", hello(300)) { helloSchema },
    validation("hello x 3000", hello(3_000)) { helloSchema },
    validation("hello x 30000", hello(30_000)) { helloSchema },
  ]
}

private func validation(_ name: String, _ text: String, _ schema: @escaping () -> Schema?) -> Benchmark {
  lazy var document = Parser.parse(text).value
  lazy var validSchema = {
    guard let schema = schema(), Validator.validate(document, against: schema).value != nil else {
      fatalError("\(name) is not valid")
    }
    return schema
  }()
  return Benchmark("validate \(name)", text.utf8.count) {
    blackHole(Validator.validate(document, against: validSchema))
  }
}

private let helloSchema = Schema.build(from: [Source("type Query { hello: String }")]).value

/// The same field again and again, which a naive merging of fields compares pair by pair.
private func hello(_ count: Int) -> String {
  "{ " + String(repeating: "hello ", count: count) + "}"
}
