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

  public struct Output: Sendable {
    /// The folder of the schema's types.
    public var path = "."
    public var moduleType = ModuleType.sameModule(accessLevel: .internal)
    public var operations = OperationsOutput.inSchemaModule
    /// Files of earlier runs that would not be written again are removed.
    public var prunesGeneratedFiles = true
    /// All files are in one folder.
    var isFlat = false

    public init() {}

    /// Writes all files to one folder, as a part of the target that it belongs to.
    public mutating func redirect(to path: String) {
      self.path = path
      isFlat = true
      operations = .inSchemaModule
      switch moduleType {
      case .swiftPackage, .other: moduleType = .sameModule(accessLevel: .public)
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
    switch output.moduleType {
    case .embeddedInTarget:
      options.surroundings = isSeparate ? .outsideOfNamespace(schemaNamespace) : .namespace(schemaNamespace)
    case .swiftPackage, .other: options.surroundings = isSeparate ? .otherModule(schemaNamespace) : .sameModule
    case .sameModule: options.surroundings = .sameModule
    }
    return options
  }
}
