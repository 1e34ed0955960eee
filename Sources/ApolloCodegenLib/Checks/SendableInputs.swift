import ApolloSwiftRenderer
import GraphQLSchema
import GraphQLSyntax

extension ClientRule {
  /// Variables have no custom scalar that is configured as not sendable, because operations are sent to other threads.
  static let sendableInputs = ClientRule { context in
    SendableInputCheck(schema: context.schema, scalars: context.configuration.rendering.customScalars)
      .check(context.document)
  }
}

private struct SendableInputCheck {
  let schema: Schema
  let scalars: [String: RenderingOptions.ScalarMapping]

  func check(_ document: Document) -> [Diagnostic] {
    guard scalars.values.contains(where: { !$0.isSendable }) else { return [] }
    return document.operations.flatMap { operation in
      operation.variableDefinitions.compactMap { variable in
        var visited: Set<String> = []
        return unsendable(variable.type, &visited).map { scalar in
          Diagnostic(
            .unsendableInput,
            "The variable \"$\(variable.name.value)\" holds the scalar \"\(scalar)\", which is not sendable.",
            at: variable.span,
            help: "Operations are sent to other threads. Map \"\(scalar)\" to a type that is Sendable.")
        }
      }
    }
  }

  private func unsendable(_ type: TypeReference, _ visited: inout Set<String>) -> String? {
    let name = type.namedType.value
    switch schema.type(named: name) {
    case .scalar: return scalars[name]?.isSendable == false ? name : nil
    case .inputObject(let object):
      guard visited.insert(name).inserted else { return nil }
      return object.fields.compactMap { unsendable($0.type, &visited) }.first
    default: return nil
    }
  }
}
