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

  public var accessLevel: AccessLevel = .internal
  /// The access level of the schema's types where it differs.
  public var schemaAccessLevel: AccessLevel?
  public var surroundings: Surroundings = .sameModule
  /// By the name of the scalar. Others are `String`.
  public var customScalars: [String: ScalarMapping] = [:]
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
  /// Operations know the SHA-256 of their document.
  public var includesOperationIdentifiers = false
  public var inflection = Inflection()

  public init() {}
}
