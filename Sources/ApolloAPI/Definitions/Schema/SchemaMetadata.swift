/// What generated code knows about its schema at run time. The conforming type is generated once for all operations of
/// a schema:
///
///     public enum SchemaMetadata: ApolloAPI.SchemaMetadata {
///       public static let configuration: any ApolloAPI.SchemaConfiguration.Type = SchemaConfiguration.self
///       public static func objectType(forTypename typename: String) -> Object? {
///         switch typename {
///         case "Human": Objects.Human
///         default: nil
///         }
///       }
///     }
///
/// The root of each operation, and each named fragment, name it as their ``SelectionSet/schema``:
///
///     public static var schema: (any ApolloAPI.SchemaMetadata.Type)? { SchemaMetadata.self }
public protocol SchemaMetadata: SendableMetatype {
  /// What the app has decided about the schema, such as the cache keys of objects. The default decides nothing.
  static var configuration: any SchemaConfiguration.Type { get }

  /// The object type with a name; nil for a type that was added to the schema after the code was generated.
  static func objectType(forTypename typename: String) -> Object?

  /// Whether object types have a ``Object/maxAge`` or ``Object/fieldMaxAges``. The default is false.
  static var declaresMaxAges: Bool { get }
}

extension SchemaMetadata {
  /// Decides nothing.
  public static var configuration: any SchemaConfiguration.Type { NoSchemaConfiguration.self }

  /// None has.
  public static var declaresMaxAges: Bool { false }
}

/// The configuration of a schema about which its app says nothing.
private enum NoSchemaConfiguration: SchemaConfiguration {}

/// What an app decides about its schema. The generator writes a type `SchemaConfiguration` once, and never changes it
/// after that.
///
///     nonisolated enum SchemaConfiguration: ApolloAPI.SchemaConfiguration {
///       static func cacheKeyInfo(for type: Object, object: ObjectData) -> CacheKeyInfo? {
///         try? CacheKeyInfo(jsonValue: object["id"])
///       }
///     }
public protocol SchemaConfiguration: SendableMetatype {
  /// Gives the key under which the cache keeps an object.
  ///
  /// It is called for every object of every response, and takes precedence over the key fields of `@typePolicy`. The
  /// default implementation decides nothing.
  ///
  /// - Parameters:
  ///   - type: The type of the object. If the generated code does not know the type, only its name is set.
  ///   - object: The fields that the operation selects.
  /// - Returns: The key; nil if the key fields of the type decide. An object whose type has no key fields, or which
  ///   lacks one of them, belongs to the field it was read from.
  static func cacheKeyInfo(for type: Object, object: ObjectData) -> CacheKeyInfo?

  /// Gives the key under which the cache keeps an object, in the form of Apollo iOS 1.0 and 1.1. It is asked if the
  /// configuration does not have the form with ``ObjectData``, and costs more.
  ///
  /// - Parameters:
  ///   - type: The type of the object. If the generated code does not know the type, only its name is set.
  ///   - object: The fields without arguments that the operation selects, without those whose value is an object that
  ///     has a key of its own, or a list of such objects.
  /// - Returns: The key; nil if the key fields of the type decide.
  static func cacheKeyInfo(for type: Object, object: JSONObject) -> CacheKeyInfo?

  /// What computes fields when they are read from the cache, by the coordinate of the field: the name of an object type or
  /// of an interface, a dot, and the name of the field. A type comes before its interfaces. What stands under a coordinate
  /// that the schema does not have is never asked. The default is none.
  ///
  /// Make it a `static let`: it is asked for each time something is read.
  static var fieldReaders: [String: any FieldPolicy.Reader] { get }

  /// What merges fields of a response with what the cache has in them, by the coordinate of the field, as in
  /// ``fieldReaders``. The default is none.
  ///
  /// Make it a `static let`: it is asked for each time a response is stored.
  static var fieldMergers: [String: any FieldPolicy.Merger] { get }
}

/// The configurations that have neither form of `cacheKeyInfo(for:object:)`, so that no JSON is made for them again.
private let configurationsWithoutForm = Locked<Set<ObjectIdentifier>>([])

extension SchemaConfiguration {
  /// Asks the form with a JSON object.
  public static func cacheKeyInfo(for type: Object, object: ObjectData) -> CacheKeyInfo? {
    let configuration = ObjectIdentifier(Self.self)
    if configurationsWithoutForm.withLock({ $0.contains(configuration) }) { return .unanswered }
    let info = cacheKeyInfo(for: type, object: object.json)
    if info == .unanswered { configurationsWithoutForm.withLock { _ = $0.insert(configuration) } }
    return info
  }

  /// Decides nothing: the key fields of the type are used.
  public static func cacheKeyInfo(for type: Object, object: JSONObject) -> CacheKeyInfo? { .unanswered }

  /// None.
  public static var fieldReaders: [String: any FieldPolicy.Reader] { [:] }

  /// None.
  public static var fieldMergers: [String: any FieldPolicy.Merger] { [:] }
}

/// An object type of a schema. Values are generated.
public struct Object: Hashable, Sendable {
  /// The name of the type.
  public let typename: String
  /// The interfaces that the type implements.
  public let implementedInterfaces: [Interface]
  /// The fields of `@typePolicy(keyFields:)`, in order; nil if there are none.
  public let keyFields: [String]?
  /// The fields of `@onDelete(cascade: true)`: when an object of this type is deleted, those objects are deleted too to
  /// which these fields lead.
  public let cascadingFields: [String]
  /// How old the objects of the type may be, by `@cacheControl` on the type or on one of its interfaces; nil if they do
  /// not say it.
  public let maxAge: MaxAge?
  /// How old fields may be, by name: what `@cacheControl` on the field and `@cacheControlField` on the type say.
  public let fieldMaxAges: [String: MaxAge]

  /// How old a value may be.
  public enum MaxAge: Hashable, Sendable, ExpressibleByIntegerLiteral {
    /// So many seconds.
    case seconds(Int)
    /// As old as the object that has it: `inheritMaxAge: true`.
    case inherited

    /// So many seconds: `maxAge: 60`.
    public init(integerLiteral seconds: Int) { self = .seconds(seconds) }
  }

  /// Makes an object type.
  ///
  /// - Parameters:
  ///   - typename: The name of the type.
  ///   - implementedInterfaces: The interfaces that it implements. The default is none.
  ///   - keyFields: The fields that make the cache key. nil, the default: none.
  ///   - cascadingFields: The fields whose objects are deleted with an object of this type. The default is none.
  ///   - maxAge: How old its objects may be. nil, the default: the schema does not say it.
  ///   - fieldMaxAges: How old its fields may be, by name. The default is none.
  public init(
    typename: String, implementedInterfaces: [Interface] = [], keyFields: [String]? = nil,
    cascadingFields: [String] = [], maxAge: MaxAge? = nil, fieldMaxAges: [String: MaxAge] = [:]
  ) {
    self.typename = typename
    self.implementedInterfaces = implementedInterfaces
    self.keyFields = keyFields
    self.cascadingFields = cascadingFields
    self.maxAge = maxAge
    self.fieldMaxAges = fieldMaxAges
  }

  /// Whether the type implements an interface.
  public func implements(_ interface: Interface) -> Bool { implementedInterfaces.contains(interface) }
}

/// An interface of a schema. Values are generated.
public struct Interface: Hashable, Sendable {
  /// The name of the interface.
  public let name: String
  /// The fields of `@typePolicy(keyFields:)`, in order; nil if there are none.
  public let keyFields: [String]?
  /// The names of the object types that implement it.
  public let implementingObjects: [String]

  /// Makes an interface.
  ///
  /// - Parameters:
  ///   - name: The name of the interface.
  ///   - keyFields: The fields that make the cache key. nil, the default: none.
  ///   - implementingObjects: The names of the object types that implement it. The default is none.
  public init(name: String, keyFields: [String]? = nil, implementingObjects: [String] = []) {
    self.name = name
    self.keyFields = keyFields
    self.implementingObjects = implementingObjects
  }
}

/// A union of a schema. Values are generated.
public struct Union: Hashable, Sendable {
  /// The name of the union.
  public let name: String
  /// The object types in the union.
  public let possibleTypes: [Object]

  /// Makes a union.
  ///
  /// - Parameters:
  ///   - name: The name of the union.
  ///   - possibleTypes: The object types in it.
  public init(name: String, possibleTypes: [Object]) {
    self.name = name
    self.possibleTypes = possibleTypes
  }
}
