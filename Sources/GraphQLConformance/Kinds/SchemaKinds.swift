import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation

extension Kind {
  static let schemaKinds: [Kind] = [
    Kind("buildSchema") { record, _ in
      let result = SchemaValidator.validate([Source(record.string("sdl") ?? "")])
      if record.bool("ok") == !result.hasErrors { return .passed }
      return .failed("ok: \(record.bool("ok")) \(record["error"] ?? "")\nactual: \(result.diagnostics.map(\.message))")
    }
  ]
}
