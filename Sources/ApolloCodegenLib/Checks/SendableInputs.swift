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
        unsendable(in: variable.type).map { scalar in
          Diagnostic(
            .unsendableInput,
            "The variable \"$\(variable.name.value)\" holds the scalar \"\(scalar)\", which is not sendable.",
            at: variable.span,
            help: "Operations are sent to other threads. Map \"\(scalar)\" to a type that is Sendable.")
        }
      }
    }
  }

  /// The first scalar that is not sendable in values of a type.
  private func unsendable(in type: TypeReference) -> String? {
    var visited: Set<String> = []
    // Input objects can lead to one another in chains that are longer than a call stack.
    var pending = [type.namedType.value]
    while let name = pending.popLast() {
      switch schema.type(named: name) {
      case .scalar: if scalars[name]?.isSendable == false { return name }
      case .inputObject(let object):
        guard visited.insert(name).inserted else { continue }
        pending += object.fields.reversed().map(\.type.namedType.value)
      default: continue
      }
    }
    return nil
  }
}
