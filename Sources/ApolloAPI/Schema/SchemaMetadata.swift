/// What generated code knows of its schema at run time. The generated conforming type is the same for all operations of
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
/// The root of each operation, and each named fragment, names it as its ``SelectionSet/schema``:
///
///     public static var schema: (any ApolloAPI.SchemaMetadata.Type)? { SchemaMetadata.self }
public protocol SchemaMetadata: SendableMetatype {
  /// What the app says of the schema.
  static var configuration: any SchemaConfiguration.Type { get }

  /// An object type of the schema; nil for one that the server added after the code was generated.
  static func objectType(forTypename typename: String) -> Object?
}

/// What an app says of its schema. The generator writes a type `SchemaConfiguration` once, and never changes it again.
///
///     nonisolated enum SchemaConfiguration: ApolloAPI.SchemaConfiguration {
///       static func cacheKeyInfo(for type: Object, object: ObjectData) -> CacheKeyInfo? {
///         try? CacheKeyInfo(jsonValue: object["id"])
///       }
///     }
public protocol SchemaConfiguration: SendableMetatype {
  /// Tells under which key the cache keeps an object.
  ///
  /// It is asked for every object of every response, and its answer is used rather than the key fields of
  /// `@typePolicy`. By default it has no answer for any object.
  ///
  /// - Parameters:
  ///   - type: The type of the object. Of a type that the generated code does not know, only the name is.
  ///   - object: The fields that the operation selects.
  /// - Returns: nil where the key fields of the type decide; an object of a type that has none, or that lacks one of
  ///   them, belongs to the field it was read from.
  static func cacheKeyInfo(for type: Object, object: ObjectData) -> CacheKeyInfo?
}

extension SchemaConfiguration {
  public static func cacheKeyInfo(for type: Object, object: ObjectData) -> CacheKeyInfo? { .unanswered }
}

/// An object type of a schema.
public struct Object: Hashable, Sendable {
  public let typename: String
  public let implementedInterfaces: [Interface]
  /// The fields of `@typePolicy(keyFields:)`, in order; nil if it has none.
  public let keyFields: [String]?

  public init(typename: String, implementedInterfaces: [Interface] = [], keyFields: [String]? = nil) {
    self.typename = typename
    self.implementedInterfaces = implementedInterfaces
    self.keyFields = keyFields
  }

  public func implements(_ interface: Interface) -> Bool { implementedInterfaces.contains(interface) }
}

/// An interface of a schema.
public struct Interface: Hashable, Sendable {
  public let name: String
  /// The fields of `@typePolicy(keyFields:)`, in order; nil if it has none.
  public let keyFields: [String]?
  /// The names of the object types that implement it.
  public let implementingObjects: [String]

  public init(name: String, keyFields: [String]? = nil, implementingObjects: [String] = []) {
    self.name = name
    self.keyFields = keyFields
    self.implementingObjects = implementingObjects
  }
}

/// A union of a schema.
public struct Union: Hashable, Sendable {
  public let name: String
  public let possibleTypes: [Object]

  public init(name: String, possibleTypes: [Object]) {
    self.name = name
    self.possibleTypes = possibleTypes
  }
}
