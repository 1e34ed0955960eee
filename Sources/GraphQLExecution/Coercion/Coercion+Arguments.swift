import GraphQLSchema
import GraphQLSyntax

extension Coercion {
  /// The arguments of a field or directive, as resolvers receive them. An argument that is neither given nor has a
  /// default is absent, which differs from null. —
  /// [spec](https://spec.graphql.org/September2025/#CoerceArgumentValues())
  ///
  /// - Parameters:
  ///   - given: The arguments in the document.
  ///   - definitions: The arguments in the schema.
  ///   - variables: The coerced variables of the operation.
  ///   - span: The field or directive, for errors about missing arguments.
  /// - Returns: The values by name.
  /// - Throws: ``ExecutionError`` for an argument that is missing or not valid.
  func arguments(
    _ given: [Argument], for definitions: [InputValueDefinition], variables: GraphQLValue.Object, at span: SourceSpan
  ) throws(ExecutionError) -> GraphQLValue.Object {
    var arguments = GraphQLValue.Object()
    for definition in definitions {
      let name = definition.name.value
      let argument = given.first { $0.name.value == name }
      arguments[name] = try self.argument(argument, for: definition, variables: variables, at: span)
    }
    return arguments
  }

  private func argument(
    _ argument: Argument?, for definition: InputValueDefinition, variables: GraphQLValue.Object, at span: SourceSpan
  ) throws(ExecutionError) -> GraphQLValue? {
    let type = definition.type
    guard let literal = argument?.value else {
      return try defaultValue(of: definition, at: span) {
        ExecutionError("Argument \"\(definition.name)\" of required type \"\(type)\" was not provided.", at: span)
      }
    }
    var isNull = literal.isNull
    if case .variable(let variable) = literal.kind {
      guard let value = variables[variable.value] else {
        return try defaultValue(of: definition, at: literal.span) {
          ExecutionError(
            "Argument \"\(definition.name)\" of required type \"\(type)\" was provided the variable "
              + "\"$\(variable)\" which was not provided a runtime value.", at: literal.span)
        }
      }
      isNull = value.isNull
    }
    if isNull, type.isNonNull {
      throw ExecutionError(
        "Argument \"\(definition.name)\" of non-null type \"\(type)\" must not be null.", at: literal.span)
    }
    do throws(InvalidLiteral) {
      return try value(of: literal, as: type, variables: variables)
    } catch {
      let problem = "Argument \"\(definition.name)\" has invalid value \(Printer.print(literal))"
      throw ExecutionError(error.sentence(problem), at: literal.span)
    }
  }

  private func defaultValue(
    of definition: InputValueDefinition, at span: SourceSpan, orThrow missing: () -> ExecutionError
  ) throws(ExecutionError) -> GraphQLValue? {
    guard let literal = definition.defaultValue else {
      if definition.type.isNonNull { throw missing() }
      return nil
    }
    do throws(InvalidLiteral) {
      return try defaultValue(literal, as: definition.type)
    } catch {
      let problem = "Argument \"\(definition.name)\" has invalid default value \(Printer.print(literal))"
      throw ExecutionError(error.sentence(problem), at: span)
    }
  }
}
