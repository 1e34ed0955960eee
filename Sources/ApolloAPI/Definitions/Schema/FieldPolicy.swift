/// Which object of the cache a field leads to, by the arguments of the field, if no response has told it yet.
///
/// With `type Query @fieldPolicy(forField: "human", keyArgs: "id")`, `human(id: "1000")` is answered from the record
/// `Human:1000`, whichever operation read it. The generator writes this policy into the `__FieldTable`. A schema
/// configuration can give it in code, as a ``Provider``.
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
  /// It is called only for fields with arguments that the cache does not have, before the policy of the schema.
  public protocol Provider: SchemaConfiguration {
    /// The key of the object that a field leads to.
    ///
    /// - Parameters:
    ///   - field: The field that is read.
    ///   - inputData: The arguments of the field.
    ///   - path: The path of the field in the response.
    /// - Returns: The key; nil if it is not known. Without a group, it is a key of the field's type.
    static func cacheKey(for field: Field, inputData: InputData, path: [PathComponent]) -> CacheKeyInfo?

    /// The keys of the objects in the list that a field leads to.
    ///
    /// - Parameters:
    ///   - listField: The field that is read.
    ///   - inputData: The arguments of the field.
    ///   - path: The path of the field in the response.
    /// - Returns: The keys in the order of the list; nil if they are not known.
    static func cacheKeyList(for listField: Field, inputData: InputData, path: [PathComponent]) -> [CacheKeyInfo]?
  }

  /// A field that is being read from the cache.
  public struct Field: Hashable, Sendable {
    /// The name of the field in the schema.
    public let name: String
    /// The name of the field in the response if it is another one; otherwise nil.
    public let alias: String?

    /// Makes a field.
    ///
    /// - Parameters:
    ///   - name: The name of the field in the schema.
    ///   - alias: The name of the field in the response. nil, the default: the name in the schema.
    public init(name: String, alias: String? = nil) {
      self.name = name
      self.alias = alias
    }

    /// The name of the field in the response: the alias, or else the name.
    public var responseKey: String { alias ?? name }
  }

  /// The arguments of a field. Variables in them have been replaced by their values.
  public struct InputData: Sendable {
    /// The arguments that are given, as JSON. A null is a ``JSONNull`` here, so a function that has to tell an argument
    /// that is null from one that is absent asks this.
    public let arguments: JSONObject

    static let none = InputData(arguments: [:])

    /// Makes the arguments of a field, for a test of a ``FieldPolicy/Provider`` or of a ``FieldPolicy/Merger``.
    ///
    /// - Parameter arguments: The arguments that are given, as JSON.
    public init(arguments: JSONObject) { self.arguments = arguments }

    /// The value of an argument: a `String` (also for enums), an `Int`, `Double` or `Bool`, or a list or ``JSONObject``
    /// of them, in which a null is a ``JSONNull``. nil if the argument is absent or null.
    public subscript(_ argument: String) -> JSONValue? { unlessNull(arguments[argument]) }

    /// The value at a path of names separated by dots, such as `input.id`; nil if it is absent or null.
    func value(at path: String) -> JSONValue? {
      var value: JSONValue? = arguments
      for name in path.split(separator: ".") { value = (value as? JSONObject)?[String(name)] }
      return unlessNull(value)
    }
  }
}

extension FieldPolicy.Provider {
  /// nil: no key is known.
  public static func cacheKey(
    for field: FieldPolicy.Field, inputData: FieldPolicy.InputData, path: [PathComponent]
  ) -> CacheKeyInfo? { nil }

  /// nil: no keys are known.
  public static func cacheKeyList(
    for listField: FieldPolicy.Field, inputData: FieldPolicy.InputData, path: [PathComponent]
  ) -> [CacheKeyInfo]? { nil }
}

/// The policy of one field in a ``__FieldTable``, such as `isbn,edition:Book` or `input.id:Droid|Human`; or only the
/// field's type, such as `:Droid`.
struct DeclaredFieldPolicy: Sendable {
  /// The arguments, or members of them, whose values make the key, in order. Empty if the schema declares no policy.
  var keyArguments: [String]
  /// The names of the object types that the field may lead to. Without a policy, the field's type.
  var types: [String]

  /// The key without the type; or several, one for each element of the argument that is a list. nil if an argument is
  /// absent or null, or if no key can be made of it.
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
