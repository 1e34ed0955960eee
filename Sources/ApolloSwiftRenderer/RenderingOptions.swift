/// What the generated code should look like.
public struct RenderingOptions: Sendable {
  public enum AccessLevel: String, Sendable {
    case `internal`, `public`
  }

  /// The Swift type of a custom scalar.
  public struct ScalarMapping: Sendable, Equatable {
    /// A type that conforms to `CustomScalarType`; or only to `JSONDecodable`, if nothing is sent of it.
    public var type: String
    /// The module to import for it; nil for a type of the module that the code is generated into.
    public var module: String?
    /// Types that hold a value of a type that is not hashable are not hashable either.
    public var isHashable: Bool
    /// Types that hold a value of a type that is not sendable are not sendable either.
    public var isSendable: Bool

    public init(type: String, module: String? = nil, isHashable: Bool = true, isSendable: Bool = true) {
      self.type = type
      self.module = module
      self.isHashable = isHashable
      self.isSendable = isSendable
    }
  }

  /// What a type of the schema is called in Swift.
  public struct CustomTypeName: Sendable, Equatable {
    /// nil for its name in the schema.
    public var name: String?
    /// The cases of an enum or the fields of an input object, by their names in the schema.
    public var members: [String: String]

    public init(name: String? = nil, members: [String: String] = [:]) {
      self.name = name
      self.members = members
    }
  }

  /// Mocks of the schema's object types.
  public struct Mocks: Sendable, Equatable {
    /// The module that has the schema's types.
    public var module: String
    public var accessLevel: AccessLevel

    public init(module: String, accessLevel: AccessLevel) {
      self.module = module
      self.accessLevel = accessLevel
    }
  }

  /// Which models can be made of the fields of their fragments, besides of the fragments themselves.
  public struct FlatInitializers: Sendable, Equatable {
    public var operations = true
    public var namedFragments = true
    public var localCacheMutations = true
    /// Operations and fragments that have them in any case.
    public var definitions: Set<String> = []

    public init() {}
  }

  /// Where operations stand, seen from the schema's types.
  public enum Surroundings: Sendable, Equatable {
    /// In the same module, without a namespace.
    case sameModule
    /// Both inside of an enum of this name.
    case namespace(String)
    /// Operations use schema types that stand in an enum of this name.
    case outsideOfNamespace(String)
    /// Operations import the module of this name.
    case otherModule(String)
  }

  /// The release of Apollo iOS whose names and initializers generated code has.
  public enum Naming: String, Sendable, CaseIterable {
    /// Those of 1.x and 2.x.
    case standard
    /// Those of 0.x: `airDate` for `air_date`, `salesforceId` for `salesforceID`, `SearchWorksByIdQuery` for the query
    /// `SearchWorksByID`; initializers of operations and input objects take optionals and enums, not `GraphQLNullable` and
    /// `GraphQLEnum`.
    case legacy
  }

  public var accessLevel: AccessLevel = .internal
  /// The access level of the schema's types where it differs.
  public var schemaAccessLevel: AccessLevel?
  public var surroundings: Surroundings = .sameModule
  /// By the name of the scalar. Other custom scalars are `String`, and those of the specification Swift's `Int`, `Double`,
  /// `String` and `Bool`.
  public var customScalars: [String: ScalarMapping] = [:]
  public var naming = Naming.standard
  /// `newHope` for `NEW_HOPE`; otherwise enum cases are as in the schema.
  public var convertsEnumCases = true
  /// `firstName` for `first_name` in selection sets.
  public var convertsFieldNames = false
  /// `firstName` for `first_name` in input objects.
  public var convertsInputFieldNames = true
  /// Enum cases that the schema deprecates are left out.
  public var excludesDeprecatedEnumCases = false
  /// The schema's descriptions become documentation.
  public var includesDocumentation = true
  /// Types do not take on the default isolation of the module they are in.
  public var marksTypesNonisolated = true
  /// What operations know of their document.
  public var operationDocumentFormat = OperationDocumentFormat.definition
  public var inflection = Inflection()
  /// How words in names are capitalized, apart from the usual rules.
  public var capitalization = Capitalization()
  /// By the name in the schema.
  public var customTypeNames: [String: CustomTypeName] = [:]
  /// Custom scalars without a mapping have the types of their names, perhaps with this before, which the app declares;
  /// nil for `String`.
  public var passthroughScalarPrefix: String?
  /// The schema's object types and interfaces are described for the cache, which asks `SchemaConfiguration`.
  public var hasSchemaMetadata = false
  /// Of these types, only those that have key fields or that selections mention by name.
  public var reducesSchemaTypes = false
  /// `SchemaConfiguration` and the types of custom scalars are in files of their own for people to change.
  public var writesEditableFiles = false
  /// Types that the app declares in files of its own, by their names in Swift: `SchemaConfiguration`, and those of custom
  /// scalars. They are neither generated nor written for people to change.
  public var providedTypes: Set<String> = []
  /// The schema's types stand in a module with an app's own types, outside of any namespace. Those whose names the standard
  /// library, Foundation, SwiftUI or Combine have as well get a suffix, as they would hide those.
  public var avoidsLibraryNames = false
  /// nil for none.
  public var mocks: Mocks?
  public var flatInitializers = FlatInitializers()

  public init() {}
}

/// What the code of an operation says of the document that is sent.
public enum OperationDocumentFormat: Hashable, Sendable {
  /// Its text.
  case definition
  /// Its SHA-256. Only servers that know the document by it can run the operation.
  case operationId
  case definitionAndOperationId

  var includesDefinition: Bool { self != .operationId }
  var includesOperationId: Bool { self != .definition }
}

extension RenderingOptions {
  /// The enum that the schema's types stand in, if there is one.
  var namespace: String? {
    switch surroundings {
    case .namespace(let name), .outsideOfNamespace(let name): name
    case .sameModule, .otherModule: nil
    }
  }

  /// What a type of the schema is called in Swift, apart from collisions.
  func typeName(_ name: String) -> String { customTypeNames[name]?.name ?? capitalization.type(name) }
}
