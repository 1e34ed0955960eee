import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation

/// The GraphQL front end, on a schema of one field, and on the largest one that is published: GitHub's, if it is there.
func frontEnd(_ bytes: [UInt8]) -> [Benchmark] {
  let cases = [300, 3_000, 30_000].map { count in validation("hello x \(count)", hello(count)) { helloSchema } }
  return bytes.isEmpty ? cases : ofGitHub(bytes) + cases
}

private func ofGitHub(_ bytes: [UInt8]) -> [Benchmark] {
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
