extension Rule {
  /// The rules of the specification for documents to be executed, in the order of its chapter 5.
  public static let specified: [Rule] = [
    .executableDefinitions,  // 5.1.1
    .knownOperationTypes,  // 5.2.1.1
    .uniqueOperationNames,  // 5.2.2.1
    .loneAnonymousOperation,  // 5.2.3.1
    .singleFieldSubscriptions,  // 5.2.4.1
    .fieldsOnCorrectType,  // 5.3.1
    .overlappingFieldsCanBeMerged,  // 5.3.2
    .scalarLeafs,  // 5.3.3
    .knownArgumentNames,  // 5.4.1
    .uniqueArgumentNames,  // 5.4.2
    .providedRequiredArguments,  // 5.4.3
    .uniqueFragmentNames,  // 5.5.1.1
    .knownTypeNames,  // 5.5.1.2
    .fragmentsOnCompositeTypes,  // 5.5.1.3
    .noUnusedFragments,  // 5.5.1.4
    .knownFragmentNames,  // 5.5.2.1
    .noFragmentCycles,  // 5.5.2.2
    .possibleFragmentSpreads,  // 5.5.2.3
    .valuesOfCorrectType,  // 5.6.1
    .uniqueInputFieldNames,  // 5.6.3
    .knownDirectives,  // 5.7.1, 5.7.2
    .uniqueDirectivesPerLocation,  // 5.7.3
    .uniqueVariableNames,  // 5.8.1
    .variablesAreInputTypes,  // 5.8.2
    .noUndefinedVariables,  // 5.8.3
    .noUnusedVariables,  // 5.8.4
    .variablesInAllowedPosition,  // 5.8.5
  ]

  /// The rules for `@defer` and `@stream`, which the specification does not have yet.
  public static let incrementalDelivery: [Rule] = [
    .deferStreamDirectiveOnRootField,
    .deferStreamDirectiveOnValidOperations,
    .deferStreamDirectiveLabel,
    .streamDirectiveOnListField,
  ]

  /// Rules that some tools and servers want.
  public static let optional: [Rule] = [
    .noDeprecated,
    .noSchemaIntrospection,
    .maxIntrospectionDepth,
  ]

  /// The rules for definitions of a type system, in the order of the specification's chapter 3.
  public static let schemaDocument: [Rule] = [
    .loneSchemaDefinition,
    .linkImports,
    .uniqueOperationTypes,
    .uniqueTypeNames,
    .possibleTypeExtensions,
    .uniqueFieldDefinitionNames,
    .uniqueArgumentDefinitionNames,
    .uniqueEnumValueNames,
    .uniqueDirectiveNames,
    .possibleDirectiveExtensions,
    .knownTypeNames,
    .knownDirectives,
    .uniqueDirectivesPerLocation,
    .knownArgumentNames,
    .uniqueArgumentNames,
    .uniqueInputFieldNames,
    .providedRequiredArguments,
  ]
}
