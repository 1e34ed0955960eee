/// Where generated code is: in which modules, with which access levels, and beside which files of an app.
///
/// It follows from the output of a configuration, so it is not set in another way.
package struct CodePlacement: Sendable {
  /// How mocks of the schema's object types are written.
  package struct Mocks: Sendable, Equatable {
    /// The module with the schema's types.
    var module: String
    /// The access level of the mocks.
    var accessLevel: RenderingOptions.AccessLevel
    /// Whether the mocks are internal if one of them mentions an internal type of the schema.
    var followsSchema: Bool

    package init(module: String, accessLevel: RenderingOptions.AccessLevel, followsSchema: Bool = false) {
      self.module = module
      self.accessLevel = accessLevel
      self.followsSchema = followsSchema
    }
  }

  /// Where the code of operations is, relative to the schema's types.
  package enum Surroundings: Sendable, Equatable {
    /// In the module of the schema's types, without a namespace.
    case sameModule
    /// Both are in an enum with this name.
    case namespace(String)
    /// The schema's types are in an enum with this name, and operations are outside of it. They import the module with
    /// the enum; nil: they are in that module.
    case outsideOfNamespace(String, module: String?)
    /// Operations import the module with this name.
    case otherModule(String)
  }

  /// The access level of operations and fragments.
  package var accessLevel = RenderingOptions.AccessLevel.internal
  /// The access level of the schema's types.
  package var schemaAccessLevel = RenderingOptions.AccessLevel.internal
  /// Where operations are, relative to the schema's types.
  package var surroundings = Surroundings.sameModule
  /// Whether the schema's object types and interfaces are described for the cache.
  package var hasSchemaMetadata = false
  /// Whether the app declares `SchemaConfiguration`, which the cache asks for keys.
  package var hasSchemaConfiguration = false
  /// Whether `SchemaConfiguration` and the types of custom scalars are in files for people to change.
  package var writesEditableFiles = false
  /// The Swift names of types that the app declares in its own files: `SchemaConfiguration`, and types of custom
  /// scalars. They are not generated.
  package var providedTypes: Set<String> = []
  /// Whether the schema's types are in a module with an app's own types, without a namespace. Then types whose names
  /// the standard library, Foundation, SwiftUI or Combine have as well are given a suffix, because they would hide
  /// those types.
  package var avoidsLibraryNames = false
  /// How mocks are written; nil if there are none.
  package var mocks: Mocks?

  package init() {}

  /// The enum around the schema's types; nil if there is none.
  package var namespace: String? {
    switch surroundings {
    case .namespace(let name), .outsideOfNamespace(let name, _): name
    case .sameModule, .otherModule: nil
    }
  }

  /// The enum or the module that code may write before types of the schema; nil if it writes none.
  var owner: String? {
    switch surroundings {
    case .namespace(let name), .outsideOfNamespace(let name, _), .otherModule(let name): name
    case .sameModule: nil
    }
  }

  /// The module that operations import for the schema's types; nil if they are in it, too.
  var importedModule: String? {
    switch surroundings {
    case .outsideOfNamespace(_, let module): module
    case .otherModule(let name): name
    case .sameModule, .namespace: nil
    }
  }

  /// Whether the enum or the module of the schema's types is called like a type that generated code mentions. One
  /// would hide the other.
  package var hasHidingOwner: Bool {
    owner.map { ReservedNames.types.union(ReservedNames.membersOfOperations).contains($0) } ?? false
  }
}
