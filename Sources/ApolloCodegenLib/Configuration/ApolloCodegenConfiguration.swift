public import ApolloSwiftRenderer
import ApolloVersion
import GraphQLSyntax

/// What to generate, and where: the contents of `apollo-codegen-config.json`.
///
/// Paths are relative to the folder of that file.
public struct ApolloCodegenConfiguration: Sendable {
  /// The files to read, as patterns for paths: `*` and `?` match parts of a name, `[a-z]` matches a character of a
  /// set, `[!a-z]` another one, and `**` any number of folders. `{Queries,Mutations}` matches each of the alternatives,
  /// and a leading `~/` is the folder of the user. Behind a backslash, a character stands for itself. A pattern that
  /// begins with `!` excludes the files that it matches.
  ///
  /// A file whose name begins with a dot is found only where the last part of the pattern begins with one.
  public struct Input: Sendable {
    /// Patterns for the files of the schema: SDL (`.graphqls`, `.graphql`), or the JSON response to an introspection
    /// query. The default is all `.graphqls` files.
    public var schemaSearchPaths = ["**/*.graphqls"]
    /// Patterns for files that are read beside those of ``schemaSearchPaths``, whatever these exclude. The default is
    /// none.
    package var schemaExtensions: [String] = []
    /// Patterns for the files with operations and fragments. The default is all `.graphql` files.
    public var operationSearchPaths = ["**/*.graphql"]
    /// The patterns that ``operationSearchPaths`` has replaced for this run. What was generated from files that these
    /// match is kept, although they are not read. The default is none.
    package var replacedOperationSearchPaths: [String] = []
    /// Whether ``operationSearchPaths`` are those of this run, and not of the configuration, so that what they find may
    /// not be all operations. The default is false.
    package var hasOtherSearchPaths = false
    /// Whether the manifest is asked for with the operations of this run, whatever they are. The default is false.
    package var hasOwnManifest = false
    /// How many bytes the files of the schema may have together. More are an error. The default is 16 MB.
    public var maximumSchemaSize = 16_777_216
    /// How many selection sets may stand in one another, where a spread counts as the selections of its fragment. More
    /// are an error. The default is 256, in builds without optimization as well.
    public var maximumDepth = 256

    /// Makes an input with the default patterns.
    public init() {}
  }

  /// The module or namespace that contains the generated types of the schema.
  public enum ModuleType: Sendable, Equatable {
    /// An existing target. All types are in an enum with the schema's name.
    case embeddedInTarget(name: String, accessLevel: RenderingOptions.AccessLevel)
    /// A generated package. Its manifest is written if the dependency is given.
    case swiftPackage(PackageDependency?)
    /// A separate module, for which the user writes the manifest or project.
    case other
    /// An existing target. The types are not in a namespace.
    case sameModule(accessLevel: RenderingOptions.AccessLevel)
  }

  /// How the manifest of a generated package refers to this package.
  public enum PackageDependency: Sendable, Equatable {
    /// By a path on this machine.
    case local(path: String)
    /// By the address of a repository. The requirement is written as in a manifest, such as `from: "1.0.0"`.
    case remote(url: String, requirement: String)

    /// The repository of this package, from the version of the generator: what a configuration file means that does not
    /// say more.
    public static let standard = PackageDependency.remote(url: standardURL, requirement: standardRequirement)

    static let standardURL = "https://github.com/apollo-swift/apollo-swift"
    static let standardRequirement = "from: \"\(apolloVersion)\""
  }

  /// Where the files of operations and fragments are written.
  public enum OperationsOutput: Sendable, Equatable {
    /// In the module of the schema's types.
    case inSchemaModule
    /// Next to each `.graphql` file, or in a folder with the name `subpath` there.
    case relative(subpath: String?, accessLevel: RenderingOptions.AccessLevel)
    /// In the folder at a path.
    case absolute(path: String, accessLevel: RenderingOptions.AccessLevel)
  }

  /// Where mocks of the schema's object types are written.
  public enum TestMocks: Sendable, Equatable {
    /// No mocks are generated.
    case none
    /// In the folder at a path.
    case absolute(path: String, accessLevel: RenderingOptions.AccessLevel)
    /// In a target of the generated package, whose name begins in upper case. nil: it is `<Namespace>TestMocks`.
    case swiftPackage(targetName: String?)
  }

  /// Where the type `SchemaConfiguration` comes from. In it, an app decides the cache keys of objects.
  public enum SchemaConfigurationOutput: Sendable, Equatable {
    /// A file `SchemaConfiguration.swift`, which people can edit, is written, unless the folder of the output or of its
    /// target already has one.
    case generated
    /// The app declares the type.
    case provided
    /// There is no such type: objects have cache keys only through the key fields of their types.
    case none
  }

  /// Where the generated files are written, and how they are divided.
  public struct Output: Sendable {
    /// The folder of the schema's types. The default is the folder of the configuration.
    public var path = "."
    /// The module or namespace of the schema's types. The default is an existing target, with internal types.
    public var moduleType = ModuleType.sameModule(accessLevel: .internal)
    /// Where the files of operations and fragments are written. The default is the module of the schema's types.
    public var operations = OperationsOutput.inSchemaModule
    /// Where mocks are written. By default none are generated.
    public var testMocks = TestMocks.none
    /// Whether the mocks are internal if one of them mentions an internal type of the schema.
    var mocksFollowSchema = false
    /// The name of a single file for all code. nil, the default: one file for each document.
    public var singleFile: String?
    /// Where `SchemaConfiguration` comes from. By default it is generated. If all files are in one folder, no editable
    /// files are written: `.generated` then means `.none`, unless the file exists.
    public var schemaConfiguration = SchemaConfigurationOutput.generated
    /// Files of the app that replace generated, editable files: `SchemaConfiguration.swift`, or `Date.swift` for the
    /// scalar `Date`. The default is none. Files in the folder of the output, or of the target around it, need not be
    /// listed.
    public var providedFiles: [String] = []
    /// Whether files of earlier runs that are no longer needed are removed. The default is true.
    public var prunesGeneratedFiles = true
    /// The path of the only document whose code is written; nil, the default, for all that are read.
    var onlyDocument: String?
    /// Whether all files are in one folder.
    var isFlat = false
    /// The part of the code that is written. The default is all.
    public var part = Part.all
    /// The module that mocks are of, if the configuration does not say it.
    private(set) var mockedModule: String?
    /// Whether operations are in other modules than the schema's types.
    private(set) var isDivided = false
    /// Whether the schema's types are in a separate module, regardless of the module type.
    private(set) var hasOwnModule = false
    /// The keys of a configuration file whose values are not used because all files are in one folder.
    private(set) var redirectedKeys: [String] = []

    /// The part of the code that a run writes.
    public enum Part: Sendable {
      /// The schema's types, operations and fragments.
      case all
      /// All types of the schema, because it is not known which of them operations in other modules will use.
      case schemaTypes
      /// Operations and fragments, which import the schema's types from the module `schemaNamespace`.
      case operations
      /// Mocks of the schema's object types. What they are mocks of has been generated elsewhere.
      case mocks
    }

    /// Makes an output with all defaults.
    public init() {}

    /// Whether all files are in one folder, beside other files of their target.
    public var isWithoutFolders: Bool {
      if case .sameModule = moduleType { return true }
      return isFlat
    }

    /// Whether the schema's types and the operations are generated by separate runs.
    var isOneOfSeveralModules: Bool { part == .schemaTypes || part == .operations || isDivided }

    /// Writes all files to one folder, as a part of the target that contains the folder.
    ///
    /// - Parameters:
    ///   - path: The folder.
    ///   - part: The part of the code that the target has, if the schema's types, the operations and the mocks are in
    ///     different targets. The default is all but the mocks.
    ///   - module: The module that mocks are of. nil, the default: the configuration says it.
    public mutating func redirect(to path: String, part: Part = .all, mocksOf module: String? = nil) {
      self.path = path
      self.part = part
      isFlat = true
      if part == .mocks, case .other = moduleType, operations != .inSchemaModule { isDivided = true }
      switch operations {
      case .relative(_, let accessLevel) where part == .operations,
        .absolute(_, let accessLevel) where part == .operations:
        moduleType = .sameModule(accessLevel: accessLevel)
        hasOwnModule = true
      default: break
      }
      mockedModule = isDivided ? nil : module
      if case .swiftPackage(.some) = moduleType {
        redirectedKeys.append("output.schemaTypes.moduleType.swiftPackage.apolloSDKDependency")
      }
      operations = .inSchemaModule
      testMocks = part == .mocks ? .absolute(path: path, accessLevel: .internal) : .none
      singleFile = nil
      switch moduleType {
      case .swiftPackage, .other:
        moduleType = .sameModule(accessLevel: .public)
        hasOwnModule = true
      case .embeddedInTarget, .sameModule: break
      }
    }
  }

  /// The name of the schema's module, or of the enum around the schema's types. The default is `GraphQLAPI`.
  public var schemaNamespace = "GraphQLAPI"
  /// The files to read.
  public var input = Input()
  /// Where the generated files are written.
  public var output = Output()
  /// How the code is written.
  public var rendering = RenderingOptions()
  /// Whether the generator reports uses of deprecated fields in documents as warnings. The default is true.
  /// The warnings of the compiler are a matter of ``rendering``.
  public var warnsOfDeprecatedUsage = true
  /// Whether a note names the types that have an `id` and no key fields. The default is true.
  public var notesMissingKeyFields = true
  /// Whether `__typename` is selected in inline fragments as well, as Apollo iOS 0.x did, so that the identifiers of
  /// operations do not change. The default is false.
  public var isCompatibleWithLegacySafelists = false
  /// How `fetch-schema` downloads the schema. nil, the default: it is not configured.
  public var schemaDownload: SchemaDownloadConfiguration?
  /// How the manifest of all operations is written. nil, the default: it is not configured.
  public var operationManifest: OperationManifest.Configuration?
  /// The file that the configuration was read from; nil if there is none.
  var file: ConfigurationFile?
  /// Warnings about options of other releases that this configuration cannot express.
  var ineffectiveOptions: [Diagnostic] = []

  /// Makes a configuration with all defaults.
  public init() {}
}
