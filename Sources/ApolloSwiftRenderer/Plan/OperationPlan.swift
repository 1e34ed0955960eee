import ApolloIR

/// An operation as a Swift struct.
struct OperationPlan {
  var name: String
  /// The name of the operation in the document.
  var operationName: String
  /// The struct, as it is written outside of any namespace.
  var type: SwiftType
  /// The protocol that it conforms to.
  var conformance: SwiftType
  /// `query`, `mutation` or `subscription`.
  var kind: String
  var documentation: [String]
  var variables: [VariablePlan]
  /// The edits of lists that its fields ask for, each as an expression in Swift.
  var listEdits: [String]
  /// Whether it selects local fields.
  var hasLocalFields: Bool
  /// What the code contains about the document; nil for a local cache mutation, which is never sent.
  var document: OperationDocumentPlan?
  var data: StructPlan
}

/// What the code of an operation contains about the document that is sent.
struct OperationDocumentPlan {
  /// The text of the operation; nil if it is left out.
  var definition: String?
  /// The structs of the fragments whose definitions belong to the text.
  var fragments: [SwiftType] = []
  /// The hash of the text; nil if it is left out.
  var identifier: String?
  /// Whether a server may answer in parts.
  var isIncremental: Bool
}

/// A variable of an operation.
struct VariablePlan {
  /// The name of the variable in the document.
  var key: String
  var name: String
  var type: SwiftType
  var parameter: InitializerParameter
  /// The default of the parameter; nil if a value must be given.
  var defaultArgument: String?
  /// The default value that counts for an absent value when the cache is read; nil if there is none.
  var defaultValue: String?
  /// The same default as a literal with JSON, if Swift has no expression for it.
  var defaultJSON: String?
  /// Whether it is sent.
  var isSent: Bool
  /// The lines of its description, without marks.
  var description: [String] = []
}

/// A named fragment as a Swift struct.
struct FragmentPlan {
  var data: StructPlan
  /// The struct, as it is written outside of any namespace.
  var type: SwiftType
  /// The definition in GraphQL; nil if it is left out.
  var definition: String?
}

extension Planner {
  func plan(_ document: Program.DocumentPart) -> DocumentPlan {
    DocumentPlan(
      name: document.name,
      imports: document.operations.isEmpty && document.fragments.isEmpty
        ? Imports() : Imports(document.operations, document.fragments, types: types),
      operations: document.operations.map(plan), fragments: document.fragments.map(plan))
  }

  func plan(_ fragment: Fragment) -> FragmentPlan {
    let data = self.data(of: fragment)
    return FragmentPlan(
      data: data, type: types.outside(data.name),
      definition: types.options.operationDocumentFormat.includesDefinition ? fragment.definition : nil)
  }

  func plan(_ operation: Operation) -> OperationPlan {
    let name = types.names.operation(operation.name)
    let names = types.names.variables(of: operation, types: types)
    return OperationPlan(
      name: name, operationName: operation.name, type: types.outside(name),
      conformance: .named(
        operation.isLocalCacheMutation
          ? "LocalCacheMutation" : "GraphQL" + Identifier.uppercasedFirst(operation.kind.rawValue)),
      kind: operation.kind.rawValue,
      documentation: documentation(operation.description),
      variables: operation.variables.map { plan($0, name: names[$0.name] ?? $0.name) },
      listEdits: operation.listDirectives.map { listEdit($0, operation, names) },
      hasLocalFields: operation.hasLocalFields,
      document: operation.isLocalCacheMutation ? nil : plan(operation.document), data: data(of: operation))
  }

  private func plan(_ variable: Variable, name: String) -> VariablePlan {
    let parameter = InitializerParameter(variable: variable.type, types: types), type = variable.type
    let absent = type.isNullable ? variable.defaultValue : nil
    let defaultValue = absent.flatMap { writtenDefaults.text($0, of: type) }
    return VariablePlan(
      key: variable.name, name: name, type: types.input(type), parameter: parameter,
      defaultArgument: variable.defaultValue.flatMap { defaults.parameter($0, of: type) } ?? parameter.absence,
      defaultValue: defaultValue,
      defaultJSON: defaultValue == nil ? absent.map { Literal.string(writtenDefaults.json($0, of: type)) } : nil,
      isSent: !variable.isLocal,
      description: types.options.includesDocumentation ? Documentation.lines(variable.description) : [])
  }

  private func plan(_ document: DocumentText) -> OperationDocumentPlan {
    let format = types.options.operationDocumentFormat
    var plan = OperationDocumentPlan(isIncremental: document.isIncremental)
    if format.includesDefinition {
      plan.definition = document.operation
      plan.fragments = document.fragmentNames.map { types.outside(types.names.fragment($0)) }
    }
    if format.includesOperationId { plan.identifier = document.identifier }
    return plan
  }
}
