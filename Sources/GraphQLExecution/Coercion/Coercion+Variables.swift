import GraphQLSchema
import GraphQLSyntax

extension Coercion {
  /// After how many defects of its values a request is given up.
  static let maximumErrors = 50

  /// The variables of an operation as resolvers receive them. One that is neither given nor has a default is absent.
  /// — [spec](https://spec.graphql.org/September2025/#CoerceVariableValues())
  func variables(
    _ given: GraphQLValue.Object, for operation: OperationDefinition
  ) throws(RequestError) -> GraphQLValue.Object {
    var variables = GraphQLValue.Object()
    var errors: [ExecutionError] = []
    for definition in operation.variableDefinitions {
      variables[definition.name.value] = variable(definition, given: given, errors: &errors)
      if errors.count > Self.maximumErrors {
        errors.removeLast(errors.count - Self.maximumErrors)
        errors.append(
          ExecutionError("Too many errors processing variables, error limit reached. Execution aborted."))
        break
      }
    }
    if !errors.isEmpty { throw RequestError(errors) }
    return variables
  }

  private func variable(
    _ definition: VariableDefinition, given: GraphQLValue.Object, errors: inout [ExecutionError]
  ) -> GraphQLValue? {
    let name = "$\(definition.name)"
    let type = definition.type
    guard schema.type(of: type)?.isInput == true else {
      errors.append(
        ExecutionError(
          "Variable \"\(name)\" expected value of type \"\(type)\" which cannot be used as an input type.",
          at: type.span))
      return nil
    }
    guard let value = given[definition.name.value] else {
      if let literal = definition.defaultValue {
        do throws(InvalidLiteral) {
          return try value(of: literal, as: type)
        } catch {
          guard refusesInvalidDefaults || error.isEndless else { return nil }
          let problem = "Variable \"\(name)\" has invalid default value \(Printer.print(literal))"
          errors.append(ExecutionError(error.sentence(problem), at: definition.span))
          return nil
        }
      }
      if type.isNonNull {
        errors.append(
          ExecutionError("Variable \"\(name)\" of required type \"\(type)\" was not provided.", at: definition.span))
      }
      return nil
    }
    if value.isNull, type.isNonNull {
      errors.append(
        ExecutionError("Variable \"\(name)\" of non-null type \"\(type)\" must not be null.", at: definition.span))
      return nil
    }
    var input = InputCoercion(self)
    let coerced = input.coerce(value, to: type)
    errors += input.defects.map { defect in
      let place = defect.path.depth == 0 ? "" : " at \"\(definition.name)\(defect.path)\""
      return ExecutionError(
        "Variable \"\(name)\" got invalid value \(defect.value)\(place); \(defect.message)", at: definition.span)
    }
    return coerced
  }
}
