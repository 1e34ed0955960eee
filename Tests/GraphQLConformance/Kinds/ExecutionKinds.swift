import GraphQLExecution
import GraphQLSchema
import GraphQLSyntax

extension Kind {
  /// The recordings hold responses but no resolvers: those are made up so that they would give the response, see
  /// ``ReplayedResolvers``.
  static let executionKinds: [Kind] =
    ["execute", "executeSync", "experimentalExecuteIncrementally"].map { name in
      Kind(name) { record, corpus in
        await replay(record, from: corpus) { api, request in
          let document = Parser.parse(Source(request.query), options: corpus.parserOptions).value
          return await api.execute(document, operationName: request.operationName, variables: request.variables)
        }
      }
    }
    + ["graphql", "graphqlSync"].map { name in
      Kind(name) { record, corpus in
        await replay(record, from: corpus) { api, request in
          switch await api.respond(to: request) {
          case .result(let result): result
          case .stream: nil
          }
        }
      }
    }
    + [
      Kind("subscribe") { record, corpus in
        await replay(record, from: corpus) { api, request in
          let document = Parser.parse(request.query).value
          do throws(RequestError) {
            _ = try await api.subscribe(
              document, operationName: request.operationName, variables: request.variables)
            return nil
          } catch {
            return ExecutionResult(error)
          }
        }
      },
      Kind("valueFromASTUntyped") { record, _ in
        guard let literal = Parser.parseValue(Source(record.string("value") ?? "")).value else {
          return .failed("no value")
        }
        let value = GraphQLValue(untyped: literal, variables: record.value["variables"]?.object ?? [:])
        let expected = record.value["output"]
        return value == expected
          ? .passed
          : .failed("expected \(expected?.description ?? "nothing"), actual \(value?.description ?? "nothing")")
      },
    ]

  private static func replay(
    _ record: Record, from corpus: Corpus, _ run: (ExecutableSchema, ExecutionRequest) async -> ExecutionResult?
  ) async -> Outcome {
    guard let schema = record.string("schema").flatMap({ corpus.schema($0) }) else { return .failed("no schema") }
    guard let expected = record.value["result"], let document = record.string("document") else {
      return .failed("the reference implementation threw: \(record["thrown"] ?? "")")
    }
    let request = ExecutionRequest(
      query: document, operationName: record.string("operationName"),
      variables: record.value["variables"]?.object ?? [:])
    // What nests too deep is refused before a resolver is called.
    let parsed = Parser.parse(Source(document), options: corpus.parserOptions).value
    let limits = corpus.requestLimits(of: record)
    let isTooDeep = parsed.nestingError(deeperThan: limits.maximumDepth) != nil
    let resolvers = isTooDeep ? nil : ReplayedResolvers(schema, request, corpus.parserOptions, response: expected)
    guard var api = try? ExecutableSchema(schema, resolvers: resolvers?.all ?? [:]) else {
      return .failed("could not be executed")
    }
    api.limits = limits
    api.refusesInvalidDefaults = corpus.edition == .draft
    guard let actual = await run(api, request) else { return .failed("could not be executed") }
    return compare(actual.value, expected)
  }

  /// Compares responses: data must be equal, and errors must be equal in number, paths and locations.
  private static func compare(_ actual: GraphQLValue, _ expected: GraphQLValue) -> Outcome {
    let places = { (result: GraphQLValue) in
      (result["errors"]?.list ?? []).map { error in
        "\(error["path"]?.description ?? "-") \(error["locations"]?.description ?? "-")"
      }.sorted()
    }
    // In Python, a response without data has the member nevertheless.
    let isEqual = actual["data"] == expected["data"] || (actual["data"] == nil && expected["data"] == .null)
    if isEqual, places(actual) == places(expected) { return .passed }
    return .expect(lines(actual), lines(expected))
  }

  private static func lines(_ value: GraphQLValue) -> String {
    String(decoding: value.json, as: UTF8.self).split(separator: ",").joined(separator: "\n")
  }
}
