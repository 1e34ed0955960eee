import ApolloDirectives
public import GraphQLSchema
public import GraphQLSyntax
public import GraphQLValidation

extension Program {
  /// Turns valid documents into shapes.
  ///
  /// 1. Adds what the client needs: labels for `@defer`, `__typename`, and the key fields of `@typePolicy`.
  /// 2. Prints the texts that are sent.
  /// 3. Merges selections into shapes.
  /// 4. Collects the schema types that are used.
  ///
  /// - Parameters:
  ///   - document: The operations and fragments.
  ///   - schema: The schema that they were validated against.
  ///   - isCompatibleWithLegacySafelists: Whether `__typename` is selected in inline fragments as well. The default is
  ///     false.
  ///   - includesAllTypes: Whether all types of the schema are collected, even if they are not used. The default is
  ///     false.
  public init(
    lowering document: Validated<Document>, schema: Schema, isCompatibleWithLegacySafelists: Bool = false,
    includesAllTypes: Bool = false
  ) {
    let directives = SchemaDirectives(schema)
    let prepared = PreparedDocument(
      document.value, directives: directives, isCompatibleWithLegacySafelists: isCompatibleWithLegacySafelists)
    let texts = DocumentTexts(fragments: prepared.sentFragments)
    let shapes = ShapeBuilder(
      schema: schema, directives: directives,
      fragments: Dictionary(prepared.fragments.map { ($0.name.value, $0) }) { first, _ in first },
      hasAgesInOperations: directives.haveAges(in: document.value))

    let loweredFragments = zip(document.value.fragments, prepared.fragments).compactMap {
      written, prepared -> Fragment? in
      guard let type = schema.type(named: prepared.typeCondition.value) else { return nil }
      return Fragment(
        name: written.name.value, typeCondition: type.name,
        isLocalCacheMutation: written.directives.areOfLocalCacheMutation,
        shape: shapes.shape(type, [SelectionSource(selections: prepared.selectionSet.selections)]),
        variables: OwnVariables(written.variableDefinitions),
        definition: texts.definition(of: written.name.value), description: written.description?.value,
        importedModules: written.directives.importedModules,
        source: written.span.source)
    }
    let operations = zip(prepared.operations, prepared.sentOperations)
    let whole = document.value.withFragmentArgumentsInPlace
    let ofDocument = DocumentDirectives(whole, schema)
    let loweredOperations = zip(whole.operations, operations).compactMap { written, operation -> Operation? in
      let (prepared, sent) = operation
      guard let name = written.name?.value, let root = schema.rootType(for: written.operation) else { return nil }
      let local = ofDocument.variablesForLists(in: written)
      return Operation(
        name: name, kind: Operation.Kind(written.operation),
        isLocalCacheMutation: written.directives.areOfLocalCacheMutation,
        variables: written.variableDefinitions.map {
          Variable($0, in: schema, isLocal: local.contains($0.name.value))
        },
        shape: shapes.shape(
          .object(root), [SelectionSource(selections: prepared.selectionSet.selections)], isRoot: true),
        listDirectives: ofDocument.listDirectives(of: written),
        hasLocalFields: ofDocument.hasLocalFields(written),
        document: texts.document(of: sent), description: written.description?.value,
        importedModules: written.directives.importedModules,
        source: written.span.source)
    }

    var types = SchemaTypeCollector(schema: schema, directives: directives)
    for operation in loweredOperations { types.add(operation) }
    for fragment in loweredFragments { types.add(fragment.shape) }
    if includesAllTypes { types.addAll() }
    self.init(operations: loweredOperations, fragments: loweredFragments, schemaTypes: types.schemaTypes)
  }
}

extension Operation.Kind {
  init(_ type: OperationType) {
    self =
      switch type {
      case .query: .query
      case .mutation: .mutation
      case .subscription: .subscription
      }
  }
}

extension OwnVariables {
  /// nil for a fragment without variables.
  fileprivate init?(_ definitions: [VariableDefinition]) {
    if definitions.isEmpty { return nil }
    let defaults = definitions.compactMap { variable in
      variable.defaultValue.map { Argument(name: variable.name, value: $0) }
    }
    self.init(
      defaults: ArgumentText.text(defaults) ?? "",
      others: definitions.filter { $0.defaultValue == nil }.map(\.name.value))
  }
}

extension Variable {
  init(_ definition: VariableDefinition, in schema: Schema, isLocal: Bool) {
    self.init(
      name: definition.name.value, type: ValueType(definition.type, in: schema),
      defaultValue: definition.defaultValue.map { ConstantValue($0) }, isLocal: isLocal,
      description: definition.description?.value)
  }
}
