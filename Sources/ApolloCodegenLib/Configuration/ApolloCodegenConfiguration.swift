public import ApolloSwiftRenderer

/// What to generate, and where: the contents of `apollo-codegen-config.json`.
///
/// Paths are relative to the folder that the file is in.
public struct ApolloCodegenConfiguration: Sendable {
  /// The files to read. In the patterns `*` and `?` stand for parts of a name, `**` for any number of folders, and a
  /// leading `!` excludes.
  public struct Input: Sendable {
    /// SDL (`.graphqls`, `.graphql`) or the JSON result of an introspection query.
    public var schemaSearchPaths = ["**/*.graphqls"]
    public var operationSearchPaths = ["**/*.graphql"]

    public init() {}
  }

  /// What the schema's types are a part of.
  public enum ModuleType: Sendable, Equatable {
    /// An existing target: all types stand in an enum with the schema's name.
    case embeddedInTarget(name: String, accessLevel: RenderingOptions.AccessLevel)
    /// A package of its own, with a manifest if the dependency is known.
    case swiftPackage(PackageDependency?)
    /// A module that the user takes care of.
    case other
    /// An existing target, without a namespace.
    case sameModule(accessLevel: RenderingOptions.AccessLevel)
  }

  /// How a generated package depends on this one.
  public enum PackageDependency: Sendable, Equatable {
    case local(path: String)
    /// With the requirement as the manifest writes it, such as `from: "1.0.0"`.
    case remote(url: String, requirement: String)
  }

  /// Where the files of the operations go.
  public enum OperationsOutput: Sendable, Equatable {
    case inSchemaModule
    /// Next to each `.graphql` file, or in a folder of that name there.
    case relative(subpath: String?, accessLevel: RenderingOptions.AccessLevel)
    case absolute(path: String, accessLevel: RenderingOptions.AccessLevel)
  }

  /// Where mocks of the schema's object types go.
  public enum TestMocks: Sendable, Equatable {
    case none
    case absolute(path: String, accessLevel: RenderingOptions.AccessLevel)
    /// A target of the generated package, `<Namespace>TestMocks` unless named.
    case swiftPackage(targetName: String?)
  }

  /// Where the type `SchemaConfiguration` comes from, in which an app says what it knows of its schema.
  public enum SchemaConfigurationOutput: Sendable, Equatable {
    /// A file `SchemaConfiguration.swift` is written if there is none in the folder of the output or of its target, for
    /// people to change.
    case generated
    /// The target has it.
    case provided
    /// There is none: only key fields identify objects.
    case none
  }

  public struct Output: Sendable {
    /// The folder of the schema's types.
    public var path = "."
    public var moduleType = ModuleType.sameModule(accessLevel: .internal)
    public var operations = OperationsOutput.inSchemaModule
    public var testMocks = TestMocks.none
    /// Everything goes into this one file rather than into one for each document.
    public var singleFile: String?
    /// Where all files are in one folder, nothing is generated for people to change: `.generated` means `.none`, unless
    /// there is such a file.
    public var schemaConfiguration = SchemaConfigurationOutput.generated
    /// Files that the target has in place of those that are written for people to change, wherever they are:
    /// `SchemaConfiguration.swift`, and a `Date.swift` for the scalar `Date`. Those in the folder of the output, or of the
    /// target that it is in, are found without being named here.
    public var providedFiles: [String] = []
    /// Files of earlier runs that would not be written again are removed.
    public var prunesGeneratedFiles = true
    /// All files are in one folder.
    var isFlat = false
    private(set) var part = Part.all
    /// The schema's types have a module of their own, whatever the module type says.
    private(set) var hasOwnModule = false

    /// What a run writes.
    public enum Part: Sendable {
      case all
      /// All types of the schema, for operations of other modules, whatever they will use.
      case schemaTypes
      /// The code of operations, which imports the schema's types from the module `schemaNamespace`.
      case operations
    }

    public init() {}

    /// All files are in one folder, beside others of their target.
    public var isWithoutFolders: Bool {
      if case .sameModule = moduleType { return true }
      return isFlat
    }

    /// Writes all files to one folder, as a part of the target that it belongs to.
    ///
    /// - Parameter part: What the target has, where the schema's types are in one target and operations in others.
    public mutating func redirect(to path: String, part: Part = .all) {
      self.path = path
      self.part = part
      isFlat = true
      switch operations {
      case .relative(_, let accessLevel) where part == .operations,
        .absolute(_, let accessLevel) where part == .operations:
        moduleType = .sameModule(accessLevel: accessLevel)
        hasOwnModule = true
      default: break
      }
      operations = .inSchemaModule
      testMocks = .none
      singleFile = nil
      switch moduleType {
      case .swiftPackage, .other:
        moduleType = .sameModule(accessLevel: .public)
        hasOwnModule = true
      case .embeddedInTarget, .sameModule: break
      }
    }
  }

  /// The name of the module or of the enum that the schema's types are in.
  public var schemaNamespace = "GraphQLAPI"
  public var input = Input()
  public var output = Output()
  /// The access level and the surroundings are those that `output` asks for, whatever stands here.
  public var rendering = RenderingOptions()
  /// Uses of deprecated fields are reported.
  public var warnsOfDeprecatedUsage = true
  /// `__typename` is selected in inline fragments as well, as generators of earlier days did: the identifiers of
  /// operations stay what they were.
  public var isCompatibleWithLegacySafelists = false
  /// Where `fetch-schema` finds the schema.
  public var schemaDownload: SchemaDownloadConfiguration?
  public var operationManifest: OperationManifest.Configuration?

  public init() {}
}

extension ApolloCodegenConfiguration {
  /// The rendering options, with what follows from the output.
  var effectiveRendering: RenderingOptions {
    var options = rendering
    let schemaLevel: RenderingOptions.AccessLevel
    switch output.moduleType {
    case .embeddedInTarget(_, let accessLevel), .sameModule(let accessLevel): schemaLevel = accessLevel
    case .swiftPackage, .other: schemaLevel = .public
    }
    options.schemaAccessLevel = schemaLevel
    let isSeparate: Bool
    switch output.operations {
    case .inSchemaModule:
      options.accessLevel = schemaLevel
      isSeparate = false
    case .relative(_, let accessLevel), .absolute(_, let accessLevel):
      options.accessLevel = accessLevel
      isSeparate = true
    }
    switch output.testMocks {
    case .none: options.mocks = nil
    case .absolute(_, let accessLevel):
      options.mocks = RenderingOptions.Mocks(module: schemaModule, accessLevel: accessLevel)
    case .swiftPackage: options.mocks = RenderingOptions.Mocks(module: schemaModule, accessLevel: .public)
    }
    options.writesEditableFiles = output.schemaConfiguration == .generated && !output.isWithoutFolders
    switch output.schemaConfiguration {
    case .provided: options.hasSchemaMetadata = true
    case .generated:
      options.hasSchemaMetadata =
        options.writesEditableFiles || options.providedTypes.contains("SchemaConfiguration")
    case .none: options.hasSchemaMetadata = false
    }
    switch output.moduleType {
    case .embeddedInTarget:
      options.surroundings = isSeparate ? .outsideOfNamespace(schemaNamespace) : .namespace(schemaNamespace)
    case .swiftPackage, .other: options.surroundings = isSeparate ? .otherModule(schemaNamespace) : .sameModule
    case .sameModule:
      options.surroundings = .sameModule
      options.avoidsLibraryNames = !output.hasOwnModule && options.naming == .standard
    }
    if output.part == .operations {
      options.surroundings = .otherModule(schemaNamespace)
      options.schemaAccessLevel = .public
    }
    return options
  }

  /// The module that mocks import for the schema's types.
  private var schemaModule: String {
    if case .embeddedInTarget(let name, _) = output.moduleType { name } else { schemaNamespace }
  }
}
