import ApolloSwiftRenderer

extension CodePlacement {
  /// What follows from the output of a configuration.
  init(_ configuration: ApolloCodegenConfiguration) {
    self.init()
    let output = configuration.output, namespace = configuration.schemaNamespace
    providedTypes = ProvidedFiles(output.providedFiles).types
    schemaAccessLevel = output.moduleType.accessLevel
    accessLevel = output.operationsAccessLevel ?? schemaAccessLevel
    let isSeparate = output.operationsAccessLevel != nil
    switch output.testMocks {
    case .none: mocks = nil
    case .absolute(_, let accessLevel):
      mocks = Mocks(
        module: configuration.schemaModule, accessLevel: accessLevel, followsSchema: output.mocksFollowSchema)
    case .swiftPackage: mocks = Mocks(module: configuration.schemaModule, accessLevel: .public)
    }
    writesEditableFiles = output.schemaConfiguration == .generated && !output.isWithoutFolders
    switch output.schemaConfiguration {
    case .provided: hasSchemaConfiguration = true
    case .generated: hasSchemaConfiguration = writesEditableFiles || providedTypes.contains("SchemaConfiguration")
    case .none: hasSchemaConfiguration = false
    }
    hasSchemaMetadata = hasSchemaConfiguration
    switch output.moduleType {
    case .embeddedInTarget(let target, let accessLevel):
      // Another module could not use internal types, so the operations are in the same one.
      let module = accessLevel == .public ? target : nil
      surroundings = isSeparate ? .outsideOfNamespace(namespace, module: module) : .namespace(namespace)
    case .swiftPackage, .other: surroundings = isSeparate ? .otherModule(namespace) : .sameModule
    case .sameModule:
      avoidsLibraryNames = !output.hasOwnModule && configuration.rendering.naming == .standard
    }
    if output.part == .operations || output.isDivided {
      surroundings = .otherModule(namespace)
      schemaAccessLevel = .public
    }
  }
}

extension ApolloCodegenConfiguration {
  /// The module that mocks import for the schema's types.
  fileprivate var schemaModule: String {
    if let module = output.mockedModule { return module }
    return if case .embeddedInTarget(let name, _) = output.moduleType { name } else { schemaNamespace }
  }
}

extension ApolloCodegenConfiguration.ModuleType {
  /// The access level of the schema's types.
  var accessLevel: RenderingOptions.AccessLevel {
    switch self {
    case .embeddedInTarget(_, let accessLevel), .sameModule(let accessLevel): accessLevel
    case .swiftPackage, .other: .public
    }
  }
}

extension ApolloCodegenConfiguration.Output {
  /// nil: operations are in the module of the schema's types.
  fileprivate var operationsAccessLevel: RenderingOptions.AccessLevel? {
    switch operations {
    case .inSchemaModule: nil
    case .relative(_, let accessLevel), .absolute(_, let accessLevel): accessLevel
    }
  }
}
