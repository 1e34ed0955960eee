/// The object types that satisfy a type condition: the possible types of an interface or a union, or one object type.
///
/// Generated code makes one per abstract type of the schema. A type that the server added later is in no set,
/// so a fragment on it is not taken until the code is generated again.
public struct __TypeSet: Sendable {
  /// One bit for each ``TypeSymbol``.
  private let bits: [UInt64]

  /// - Parameter names: The names of the object types, separated by single spaces.
  public init(_ names: StaticString) {
    self.init(names: names.bytes.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) })
  }

  init(names: [String]) {
    var bits: [UInt64] = []
    for name in names {
      let symbol = Int(TypeSymbol.declare(name).rawValue)
      if symbol >> 6 >= bits.count { bits += Array(repeating: 0, count: symbol >> 6 + 1 - bits.count) }
      bits[symbol >> 6] |= 1 << UInt64(symbol & 63)
    }
    self.bits = bits
  }

  func contains(_ symbol: TypeSymbol) -> Bool {
    let index = Int(symbol.rawValue >> 6)
    return index < bits.count && bits[index] & (1 << UInt64(symbol.rawValue & 63)) != 0
  }
}

/// A small number for the name of an object type. A name has one number in the whole process.
package struct TypeSymbol: Hashable, Sendable {
  let rawValue: UInt32

  /// A type that no generated code names and that came after too many other such types: see ``lookUp(_:)``.
  package static let unknown = TypeSymbol(rawValue: 0)

  /// The name of the type; nil if it is ``unknown``.
  package var name: String? {
    self == .unknown ? nil : Self.registry.withLock { $0.names[Int(rawValue)] }
  }

  /// The type of a root record, which need not have been asked for its type. ``unknown`` for any other record.
  static func ofRoot(_ record: Int32) -> TypeSymbol {
    record >= 0 && record < GraphQLOperationType.rootCount ? rootTypes[Int(record)] : .unknown
  }

  private static let rootTypes = ["Query", "Mutation", "Subscription"].map { declare($0) }

  /// The symbol of a type that generated code names.
  package static func declare(_ name: String) -> TypeSymbol {
    registry.withLock { $0.intern(name) }
  }

  /// The symbol of a type that a server named.
  ///
  /// Servers must not be able to fill the memory, so only the first names that are not declared get a symbol.
  package static func lookUp(_ name: String) -> TypeSymbol {
    registry.withLock { registry in
      if let known = registry.symbols[name] { return known }
      guard registry.undeclared < Registry.undeclaredLimit else { return .unknown }
      registry.undeclared += 1
      return registry.intern(name)
    }
  }

  private struct Registry {
    static let undeclaredLimit = 4096

    var names = [""]
    var symbols: [String: TypeSymbol] = [:]
    var undeclared = 0

    mutating func intern(_ name: String) -> TypeSymbol {
      if let known = symbols[name] { return known }
      let symbol = TypeSymbol(rawValue: UInt32(names.count))
      names.append(name)
      symbols[name] = symbol
      return symbol
    }
  }

  private static let registry = Locked(Registry())
}
