import GraphQLSchema
import GraphQLSyntax

/// The rules that values pass through on their way into and out of execution. The ways are in extensions, a file each.
struct Coercion: Sendable {
  let schema: Schema
  /// The built-in scalars and those that a server has rules for, by name.
  let scalars: [String: ScalarCoercion]

  /// See ``ExecutableSchema/refusesInvalidDefaults``.
  var refusesInvalidDefaults = true

  /// How deep literals may nest, with the default values that complete them. The parser has a limit of its own, but
  /// documents can be built in code. Default values below it are left out, as those that are not valid are.
  static let maximumDepth = 256

  init(schema: Schema, scalars: [String: ScalarCoercion]) {
    self.schema = schema
    self.scalars = ScalarCoercion.builtIn.merging(scalars) { $1 }
  }

  /// The rules of a scalar type. Values of a type without rules pass as they are.
  func scalar(_ name: String) -> ScalarCoercion { scalars[name] ?? ScalarCoercion() }

  /// What resolvers receive for a value of a scalar type that a client sent.
  func input(_ value: GraphQLValue, of type: ScalarType) throws(ExecutionError) -> GraphQLValue {
    do {
      return try scalar(type.name).input(value)
    } catch {
      throw error as? ExecutionError ?? ExecutionError("Expected type \"\(type.name)\". \(error)")
    }
  }
}

extension TypeReference {
  /// The same type where null may stand.
  var nullable: TypeReference { TypeReference(kind, span: span) }
}
