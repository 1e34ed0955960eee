extension FieldPolicy {
  /// Computes a field when it is read from the cache.
  ///
  ///     struct FullName: FieldPolicy.Reader {
  ///       func value(of existing: CachedValue.Field?, in object: FieldPolicy.Context) -> CachedValue? {
  ///         guard case .string(let first)? = object["firstName"], case .string(let last)? = object["lastName"] else {
  ///           return nil
  ///         }
  ///         return .string(first + " " + last)
  ///       }
  ///     }
  ///
  ///     extension SchemaConfiguration {
  ///       static let fieldReaders: [String: any FieldPolicy.Reader] = ["Person.fullName": FullName()]
  ///     }
  ///
  /// A watcher is told when a field changes that the reader has asked for. What a request delivers of a server's answer is
  /// what the server has sent: only reads from the cache ask the reader.
  public protocol Reader: Sendable {
    /// The value of the field.
    ///
    /// - Parameters:
    ///   - existing: What the cache has in the field; nil if it has nothing.
    ///   - object: The object that has the field, and the arguments of the field.
    /// - Returns: The value; nil if the cache does not have it.
    /// - Throws: An error, with which the whole read fails.
    func value(of existing: CachedValue.Field?, in object: Context) throws -> CachedValue?
  }
}

extension FieldPolicy {
  /// Merges a field that a server has sent with what the cache has in it.
  ///
  ///     struct AppendPage: FieldPolicy.Merger {
  ///       func merge(
  ///         existing: CachedValue.Field?, incoming: CachedValue.Field, arguments: FieldPolicy.InputData
  ///       ) -> CachedValue {
  ///         guard case .list(let pages)? = existing?.value, case .list(let page) = incoming.value else {
  ///           return incoming.value
  ///         }
  ///         return .list(pages + page)
  ///       }
  ///     }
  ///
  ///     extension SchemaConfiguration {
  ///       static let fieldMergers: [String: any FieldPolicy.Merger] = ["Query.feed": AppendPage()]
  ///     }
  ///
  /// It is asked when a response is stored, in the order in which responses are stored. A response that comes in parts
  /// (`@defer`) is stored anew with each part, so a merger should give the same result for what it has merged before.
  /// What a transaction writes takes the place of what was there, without a merger. Arguments that should not tell
  /// values apart are left out of the field's key by `@fieldPolicy(forField:, keyArgs:)` in the schema.
  ///
  /// If it throws, or if it returns a value of another kind than came in (a list, an object, or neither), the value that
  /// came in takes the place of what was there, and the error is told like one of the cache's backend.
  public protocol Merger: Sendable {
    /// The value that the cache keeps.
    ///
    /// - Parameters:
    ///   - existing: What the cache has in the field; nil if it has nothing.
    ///   - incoming: What the server has sent. It is never null and never an error: these are stored without a merger.
    ///   - arguments: All arguments of the field, those too that are not in its key.
    /// - Returns: The value.
    /// - Throws: An error, if the two cannot be merged.
    func merge(existing: CachedValue.Field?, incoming: CachedValue.Field, arguments: FieldPolicy.InputData) throws
      -> CachedValue
  }
}

extension FieldPolicy {
  /// The error for a ``FieldPolicy/Merger`` that threw, or whose value could not be stored.
  public struct MergerError: Error, CustomStringConvertible {
    /// The field, such as `Query.feed`.
    public let coordinate: String
    /// What the merger threw; nil if it returned a value of another kind.
    public let underlyingError: (any Error)?

    /// The field, and what is wrong.
    public var description: String {
      let reason = underlyingError.map { "It threw: \($0)." } ?? "It returned a value of another kind than came in."
      return "The field merger of '\(coordinate)' has failed, and the value that came in was stored. \(reason)"
    }
  }
}

extension FieldPolicy {
  /// The object that has a field, while a ``FieldPolicy/Reader`` computes it. It is valid until the reader returns.
  public struct Context {
    /// The arguments of the field.
    public let arguments: FieldPolicy.InputData
    /// The name of the object's type; nil if the cache does not know it.
    public let typename: String?
    /// The key of the object's record; nil if the object is inside of another one's record.
    public let key: String?
    private let object: ObjectRecord
    private let records: RecordSnapshot
    /// What was read; the caller has it too.
    private let reads: FieldReads

    init(
      arguments: FieldPolicy.InputData, typename: String?, key: String?, object: ObjectRecord, records: RecordSnapshot,
      reads: FieldReads
    ) {
      self.arguments = arguments
      self.typename = typename
      self.key = key
      self.object = object
      self.records = records
      self.reads = reads
    }

    /// A field of the object; nil if the cache does not have it.
    ///
    /// - Parameter field: The name of the field, with its arguments if it has any: `friends(first:10)`.
    public subscript(_ field: String) -> CachedValue? {
      if let key { return value(of: field, in: key) }
      return Self.value(of: field, in: object, records)
    }

    /// A field of another object; nil if the cache does not have it.
    ///
    /// - Parameters:
    ///   - field: The name of the field, with its arguments if it has any.
    ///   - key: The key of the object's record, from a ``CachedValue/reference(_:)``.
    /// - Returns: The value.
    public func value(of field: String, in key: String) -> CachedValue? {
      let number = records.insert(key)
      reads.fields.append((number, records.keys.withLock { $0.fieldKey(field) }))
      guard let record = records[number] else {
        if records.hasBackend, !records.isLoaded(number) { reads.lacksRecords = true }
        return nil
      }
      return Self.value(of: field, in: record, records)
    }

    private static func value(of field: String, in object: ObjectRecord, _ records: RecordSnapshot) -> CachedValue? {
      if field == "__typename", let name = object.type.name { return .string(name) }
      return records.fieldKey(of: field).flatMap(object.value(of:)).map(records.exported)
    }
  }
}

/// What a ``FieldPolicy/Reader`` has read.
final class FieldReads {
  var fields: [(record: Int32, key: FieldKey)] = []
  /// Whether it has asked for a record that a backend was not asked for yet.
  var lacksRecords = false
}

/// The functions that an app has for single fields, found by the type of the object and the name of the field.
package final class FieldFunctions<Function: Sendable>: Sendable {
  private let schema: any SchemaMetadata.Type
  private let functions: [String: Function]
  private let functionsByType = Locked<[TypeSymbol: [String: Function]]>([:])

  init(_ functions: [String: Function], _ schema: any SchemaMetadata.Type) {
    self.functions = functions
    self.schema = schema
  }

  /// The functions for fields of a type, and of the interfaces that it implements: its own come first.
  func functions(on type: TypeSymbol) -> [String: Function] {
    functionsByType.withLock { known in
      if let found = known[type] { return found }
      var found: [String: Function] = [:]
      if let name = type.name {
        let interfaces = schema.objectType(forTypename: name)?.implementedInterfaces.map(\.name) ?? []
        for typename in [name] + interfaces {
          for (coordinate, function) in functions where coordinate.hasPrefix(typename + ".") {
            let field = String(coordinate.dropFirst(typename.count + 1))
            if found[field] == nil { found[field] = function }
          }
        }
      }
      known[type] = found
      return found
    }
  }
}

/// The functions of each schema, found once in the process.
struct FieldFunctionCache<Function: Sendable>: Sendable {
  private let known = Locked<[ObjectIdentifier: FieldFunctions<Function>]>([:])

  func functions(of schema: any SchemaMetadata.Type, _ functions: [String: Function]) -> FieldFunctions<Function> {
    known.withLock { known in
      if let found = known[ObjectIdentifier(schema)] { return found }
      let made = FieldFunctions(functions, schema)
      known[ObjectIdentifier(schema)] = made
      return made
    }
  }
}

extension FieldFunctionCache<any FieldPolicy.Reader> {
  static let readers = FieldFunctionCache()
}

extension FieldFunctionCache<any FieldPolicy.Merger> {
  static let mergers = FieldFunctionCache()
}
