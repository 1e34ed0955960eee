import GraphQLSyntax

// The lines of a document that is sent are joined, so its strings are between single quotes.

extension Value {
  /// An equal value without block strings.
  var withoutBlockStrings: Value {
    switch kind {
    case .string(let string) where string.isBlock: Value(.string(StringValue(string.value)), span: span)
    case .list(let values): Value(.list(values.map(\.withoutBlockStrings)), span: span)
    case .object(let fields):
      Value(
        .object(fields.map { ObjectField(name: $0.name, value: $0.value.withoutBlockStrings, span: $0.span) }),
        span: span)
    default: self
    }
  }
}

extension [Argument] {
  /// Equal arguments without block strings.
  var withoutBlockStrings: [Argument] {
    map { Argument(name: $0.name, value: $0.value.withoutBlockStrings, span: $0.span) }
  }
}

extension [Directive] {
  /// Equal directives without block strings.
  var withoutBlockStrings: [Directive] {
    map { Directive(name: $0.name, arguments: $0.arguments.withoutBlockStrings, span: $0.span) }
  }
}

extension [VariableDefinition] {
  /// Equal definitions without block strings.
  var withoutBlockStrings: [VariableDefinition] {
    map { variable in
      var variable = variable
      variable.defaultValue = variable.defaultValue?.withoutBlockStrings
      variable.directives = variable.directives.withoutBlockStrings
      return variable
    }
  }
}
