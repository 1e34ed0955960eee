/// Where the cache looks for an object that a field would lead to, if no response told it yet: by the field's arguments.
///
/// With `type Query @fieldPolicy(forField: "human", keyArgs: "id")`, `human(id: "1000")` is answered from the record
/// `Human:1000`, whichever operation read it. The generator writes the policy into the ``FieldTable``. A schema
/// configuration can also tell it, as a ``Provider``.
public enum FieldPolicy {
  /// A schema configuration that knows the keys of the objects that fields lead to.
  ///
  ///     extension SchemaConfiguration: FieldPolicy.Provider {
  ///       static func cacheKey(for field: FieldPolicy.Field, inputData: FieldPolicy.InputData, path: [PathComponent])
  ///         -> CacheKeyInfo?
  ///       {
  ///         guard field.name == "human" else { return nil }
  ///         return try? CacheKeyInfo(jsonValue: inputData["id"], uniqueKeyGroup: "Human")
  ///       }
  ///     }
  ///
  /// It is asked only for fields with arguments which the cache does not have, and before the policy of the schema.
  public protocol Provider: SchemaConfiguration {
    /// - Returns: The key of the object that the field leads to; nil if it is not known. Without a group, it is a key of
    ///   the field's type.
    static func cacheKey(for field: Field, inputData: InputData, path: [PathComponent]) -> CacheKeyInfo?

    /// - Returns: The keys of the objects in the list that the field leads to, in order; nil if they are not known.
    static func cacheKeyList(for listField: Field, inputData: InputData, path: [PathComponent]) -> [CacheKeyInfo]?
  }

  /// A field that is being read from the cache.
  public struct Field: Hashable, Sendable {
    public let name: String
    /// The name in the response, if it is another one.
    public let alias: String?

    public init(name: String, alias: String? = nil) {
      self.name = name
      self.alias = alias
    }

    public var responseKey: String { alias ?? name }
  }

  /// The arguments of a field, with the values of variables in them.
  public struct InputData: Sendable {
    let arguments: JSONObject

    /// The value of an argument: a `String` (also for enums), `Int`, `Double`, `Bool`, a list or a ``JSONObject`` of them;
    /// nil if it is absent.
    public subscript(_ argument: String) -> JSONValue? { arguments[argument] }

    /// The value at a path of names separated by dots, such as `input.id`. Null counts as absent.
    func value(at path: String) -> JSONValue? {
      var value: JSONValue? = arguments
      for name in path.split(separator: ".") { value = (value as? JSONObject)?[String(name)] }
      return value is JSONNull ? nil : value
    }
  }
}

extension FieldPolicy.Provider {
  public static func cacheKey(
    for field: FieldPolicy.Field, inputData: FieldPolicy.InputData, path: [PathComponent]
  ) -> CacheKeyInfo? { nil }

  public static func cacheKeyList(
    for listField: FieldPolicy.Field, inputData: FieldPolicy.InputData, path: [PathComponent]
  ) -> [CacheKeyInfo]? { nil }
}

/// The policy of one field in a ``FieldTable``: `isbn,edition:Book` or `input.id:Droid|Human`; or only its type: `:Droid`.
struct DeclaredFieldPolicy: Sendable {
  /// Arguments, or members of them, whose values make the key, in order; none if the schema declares no policy.
  var keyArguments: [String]
  /// The names of the object types that the field may lead to; without a policy, that of the field's type.
  var types: [String]

  /// The key without the type, or one for each element of the one argument that is a list; nil if an argument is
  /// absent, null, or nothing that a key can be made of.
  func keys(_ arguments: FieldPolicy.InputData) -> (keys: [String], isList: Bool)? {
    guard !keyArguments.isEmpty else { return nil }
    var keys = [""], isList = false
    for (index, path) in keyArguments.enumerated() {
      guard let value = arguments.value(at: path) else { return nil }
      let separator = index == 0 ? "" : "+"
      if let list = value as? [JSONValue] {
        guard !isList else { return nil }
        isList = true
        let texts = list.compactMap(Self.text)
        guard texts.count == list.count else { return nil }
        let prefix = keys.first ?? ""
        keys = texts.map { prefix + separator + $0 }
      } else {
        guard let text = Self.text(value) else { return nil }
        keys = keys.map { $0 + separator + text }
      }
    }
    return (keys, isList)
  }

  private static func text(_ value: JSONValue) -> String? {
    if let value = value as? Bool { return String(value) }
    return (try? CacheKeyInfo(jsonValue: value)).map { CacheKeyEscaping.escaped($0.id) }
  }
}
