/// How generated code is written.
public struct RenderingOptions: Sendable {
  /// The access level of generated types.
  public enum AccessLevel: String, Sendable {
    case `internal`, `public`
  }

  /// The Swift type of a custom scalar.
  public struct ScalarMapping: Sendable, Equatable {
    /// The name of a type that conforms to `CustomScalarType`; or only to `JSONDecodable`, if its values are never
    /// sent.
    public var type: String
    /// The module to import for the type; nil for a type of the module that the code is generated into.
    public var module: String?
    /// Whether the type is hashable. Generated types that hold values of a type that is not hashable are not hashable
    /// either.
    public var isHashable: Bool
    /// Whether the type is sendable. Generated types that hold values of a type that is not sendable are not sendable
    /// either.
    public var isSendable: Bool
    /// Whether only variables and fields of input objects have the type, as `Int32` in releases 2.x of Apollo iOS. The
    /// fields of models then have the type that they have without a mapping. It is for scalars of the specification.
    public var isInputOnly: Bool

    /// Makes a mapping.
    ///
    /// - Parameters:
    ///   - type: The name of the type.
    ///   - module: The module to import for it. nil, the default: none.
    ///   - isHashable: Whether the type is hashable. The default is true.
    ///   - isSendable: Whether the type is sendable. The default is true.
    ///   - isInputOnly: Whether only variables and fields of input objects have the type. The default is false.
    public init(
      type: String, module: String? = nil, isHashable: Bool = true, isSendable: Bool = true, isInputOnly: Bool = false
    ) {
      self.type = type
      self.module = module
      self.isHashable = isHashable
      self.isSendable = isSendable
      self.isInputOnly = isInputOnly
    }
  }

  /// The name of a type of the schema in Swift, and the names of its members.
  public struct CustomTypeName: Sendable, Equatable {
    /// The name of the type; nil for its name in the schema.
    public var name: String?
    /// The names of the cases of an enum, or of the fields of an input object, by their names in the schema.
    public var members: [String: String]

    /// Makes names.
    ///
    /// - Parameters:
    ///   - name: The name of the type. nil, the default: its name in the schema.
    ///   - members: The names of members, by their names in the schema. The default is none.
    public init(name: String? = nil, members: [String: String] = [:]) {
      self.name = name
      self.members = members
    }
  }

  /// Which models also have initializers with the fields of their fragments as parameters, in place of the fragments.
  public struct FlatInitializers: Sendable, Equatable {
    /// Whether the models of operations have them. The default is true.
    public var operations = true
    /// Whether named fragments have them. The default is true.
    public var namedFragments = true
    /// Whether the models of local cache mutations have them. The default is true.
    public var localCacheMutations = true
    /// The names of operations and fragments that always have them.
    public var definitions: Set<String> = []

    /// Makes options with all defaults.
    public init() {}
  }

  /// The release of Apollo iOS whose names and initializers the generated code has.
  public enum Naming: String, Sendable, CaseIterable {
    /// The names of Apollo iOS 1 and 2.
    case standard
    /// The names of Apollo iOS 0.x: `airDate` for `air_date`, `salesforceId` for `salesforceID`, `SearchWorksByIdQuery`
    /// for the query `SearchWorksByID`. Initializers of operations and input objects take optionals and enums in place
    /// of `GraphQLNullable` and `GraphQLEnum`.
    case legacy
  }

  /// Which age counts for a field where `@cacheControl` says several on the path to it.
  public enum MaxAgeRule: String, Sendable, CaseIterable {
    /// The one that is said most closely: of the field itself, or else of its object.
    case mostSpecific
    /// The lowest, as in Apollo Server and Apollo Kotlin.
    case lowestOnPath
  }

  /// The Swift types of custom scalars, by the name of the scalar. Other custom scalars are `String`. A scalar of the
  /// specification can be mapped as well; by default these are `Int`, `Double`, `String` and `Bool`.
  public var customScalars: [String: ScalarMapping] = [:]
  /// The release of Apollo iOS whose names the code has. By default 1 and 2.
  public var naming = Naming.standard
  /// Whether enum cases are converted to camel case: `newHope` for `NEW_HOPE`. The default is true.
  public var convertsEnumCases = true
  /// Whether fields of selection sets are converted to camel case: `firstName` for `first_name`. The default is false.
  public var convertsFieldNames = false
  /// Whether fields of input objects are converted to camel case: `firstName` for `first_name`. The default is true.
  public var convertsInputFieldNames = true
  /// Whether enum cases that the schema deprecates are left out. The default is false.
  public var excludesDeprecatedEnumCases = false
  /// Whether what the schema deprecates is deprecated in Swift as well, so that the compiler warns of uses of it. The
  /// default is true.
  public var marksDeprecations = true
  /// Whether descriptions in the schema become documentation comments. The default is true.
  public var includesDocumentation = true
  /// Whether types are marked `nonisolated`, so that they do not take the default isolation of their module. The
  /// default is true.
  public var marksTypesNonisolated = true
  /// What operations contain about their document. By default its text.
  public var operationDocumentFormat = OperationDocumentFormat.definition
  /// How the singulars of names are found.
  public var inflection = Inflection()
  /// Rules for the capitalization of words in names. The default is none.
  public var capitalization = Capitalization()
  /// The names of schema types in Swift, by their names in the schema. The default is none.
  public var customTypeNames: [String: CustomTypeName] = [:]
  /// If it is not nil, custom scalars without a mapping have types with their names after this prefix, which the app
  /// declares. nil, the default: they are `String`.
  public var passthroughScalarPrefix: String?
  /// Whether only some of the schema's object types and interfaces are described for the cache: of those that
  /// operations may receive, the types with key fields, the members of selected unions, and those that selections
  /// mention by name. Otherwise all that operations may receive are described, and those that implement an interface
  /// with one of them. The default is false.
  public var reducesSchemaTypes = false
  /// Which models have initializers with the fields of their fragments as parameters.
  public var flatInitializers = FlatInitializers()
  /// Whether models have properties for the fields that only their named fragments select, as `hero.appearsIn` for
  /// `hero.characterCard.appearsIn`. The default is true.
  public var mergesNamedFragments = true
  /// How the texts of documents are written as Swift literals. By default long ones are on several lines.
  public var documentLiteralFormat = DocumentLiteralFormat.multiline
  /// Which age counts for a field where `@cacheControl` says several on the path to it. By default the one that is said
  /// most closely.
  public var maxAgeRule = MaxAgeRule.mostSpecific

  /// Where the code is. It follows from the output of a configuration.
  package var placement = CodePlacement()

  /// Makes options with all defaults.
  public init() {}
}

/// How the texts of documents are written as Swift literals.
public enum DocumentLiteralFormat: String, Sendable, CaseIterable {
  /// Each text is on one line.
  case singleLine
  /// Texts that are longer than a line are on several lines.
  case multiline
}

/// What the code of an operation contains about the document that is sent.
public enum OperationDocumentFormat: Hashable, Sendable {
  /// The text of the document.
  case definition
  /// The SHA-256 hash of the document. Only servers that know the document by it can run the operation.
  case operationId
  /// The text of the document, and its hash.
  case definitionAndOperationId

  var includesDefinition: Bool { self != .operationId }
  var includesOperationId: Bool { self != .definition }
}

extension RenderingOptions {
  /// The name of a schema type in Swift, before collisions are resolved.
  func typeName(_ name: String) -> String { customTypeNames[name]?.name ?? name }
}

extension RenderingOptions.ScalarMapping {
  /// The modules to import: ``module``, and Foundation where the type says it, as `[Foundation.URL]` does. Of other
  /// names it is not known whether they are those of modules, or of types around the type.
  var importedModules: [String] {
    // The first name of a type that is a name is of the module.
    let names = TypeText.paths(in: type).dropFirst(module != nil && TypeText.isPath(type) ? 1 : 0)
    let isOfFoundation = names.contains { $0.hasPrefix("Foundation.") } && module != "Foundation"
    return (module.map { [$0] } ?? []) + (isOfFoundation ? ["Foundation"] : [])
  }
}
