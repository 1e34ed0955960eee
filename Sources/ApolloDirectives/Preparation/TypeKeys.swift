/// What identifies the objects of some types in the cache.
public struct TypeKey: Sendable, Hashable {
  /// The names of the object types.
  public var types: [String]
  /// The names of the key fields, in the order of the key.
  public var fields: [String]
}

/// What a shape of a union or an interface has to know of the keys of its objects.
package struct TypeKeys {
  /// The key of the objects of some types.
  package private(set) var keys: [TypeKey]
  /// The fields of these keys that are read for the key only.
  package private(set) var added: [String]

  /// - Parameters:
  ///   - keys: The key of the objects of some types. The default is none.
  ///   - added: The fields of these keys that are read for the key only. The default is none.
  package init(keys: [TypeKey] = [], added: [String] = []) {
    self.keys = keys
    self.added = added
  }

  /// Adds what another selection set of the same objects tells.
  package mutating func merge(_ other: TypeKeys) {
    for key in other.keys {
      let new = key.types.filter { type in !keys.contains { $0.types.contains(type) } }
      if new.isEmpty { continue }
      if let index = keys.firstIndex(where: { $0.fields == key.fields }) {
        keys[index].types += new
      } else {
        keys.append(TypeKey(types: new, fields: key.fields))
      }
    }
    added += other.added.filter { !added.contains($0) }
  }
}
