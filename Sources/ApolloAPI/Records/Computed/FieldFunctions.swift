/// The functions that an app has for single fields, found by the type of the object and the name of the field.
final class FieldFunctions<Function: Sendable>: Sendable {
  private let schema: any SchemaMetadata.Type
  private let functions: [String: Function]
  private let functionsByType = Locked<[TypeSymbol: [String: Function]]>([:])

  init(_ functions: [String: Function], _ schema: any SchemaMetadata.Type) {
    self.functions = functions
    self.schema = schema
  }

  /// The functions for fields of a type, and of the interfaces that it implements: its own come first.
  func functions(on type: TypeSymbol) -> [String: Function] {
    if let known = functionsByType.withLock({ $0[type] }) { return known }
    // (Outside of the lock, because it asks the app.)
    let found = find(type)
    functionsByType.withLock { $0[type] = found }
    return found
  }

  private func find(_ type: TypeSymbol) -> [String: Function] {
    guard let name = type.name else { return [:] }
    var found: [String: Function] = [:]
    let interfaces = schema.objectType(forTypename: name)?.implementedInterfaces.map(\.name) ?? []
    for typename in [name] + interfaces {
      for (coordinate, function) in functions where coordinate.hasPrefix(typename + ".") {
        let field = String(coordinate.dropFirst(typename.count + 1))
        if found[field] == nil { found[field] = function }
      }
    }
    return found
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

extension SchemaMetadata {
  /// The functions that compute fields; nil if the app has none.
  static var readers: FieldFunctions<any FieldPolicy.Reader>? {
    let functions = configuration.fieldReaders
    return functions.isEmpty ? nil : FieldFunctionCache.readers.functions(of: self, functions)
  }

  /// The functions that merge fields; nil if the app has none.
  static var mergers: FieldFunctions<any FieldPolicy.Merger>? {
    let functions = configuration.fieldMergers
    return functions.isEmpty ? nil : FieldFunctionCache.mergers.functions(of: self, functions)
  }
}

extension SchemaMetadata {
  /// Whether a function of the app computes a field when it is read.
  ///
  /// - Parameters:
  ///   - name: The name of the field, without arguments.
  ///   - object: The object that has it.
  ///   - number: The number of the record that the object is; nil if it is inside of one.
  /// - Returns: Whether there is such a function.
  package static func computesField(_ name: String, of object: ObjectRecord?, _ number: Int32?) -> Bool {
    guard let readers else { return false }
    let type = object?.type ?? .unknown
    return readers.functions(on: type == .unknown ? .ofRoot(number ?? -1) : type)[name] != nil
  }
}
