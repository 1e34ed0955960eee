/// The data of a model as JSON, with the name and the members of Apollo iOS 1, where models consist of it.
///
/// In this package models are structs. A `DataDict` is made from a model, or read into one, when the app asks for it.
///
///     let copy = ReviewQuery.Data.Review(_dataDict: DataDict(data: ["__typename": "Review", "stars": 5], fulfilledFragments: []))
public struct DataDict: Hashable, @unchecked Sendable {
  // Sendable: the values are JSON, or types that become JSON, and are never changed.

  /// The members by their names in the response. An object in it is a `DataDict`, a list is an `[AnyHashable]`, and
  /// null is a ``JSONNull``.
  public var _data: [String: AnyHashable]
  /// The fragments that the initializer was given. They have no effect: `__typename` tells which fragments a model has.
  public let _fulfilledFragments: Set<ObjectIdentifier>
  /// The deferred fragments that the initializer was given. They have no effect.
  public let _deferredFragments: Set<ObjectIdentifier>

  /// Makes the data of a model.
  ///
  /// - Parameters:
  ///   - data: The members: JSON in Swift's own types, `DataDict`s, models, values of enums and of custom scalars, and
  ///     optionals of them. Any other value becomes null.
  ///   - fulfilledFragments: Kept without effect. A model with fragments on types (`asDroid`) needs a `__typename` in
  ///     `data`.
  ///   - deferredFragments: Kept without effect.
  public init(
    data: [String: AnyHashable], fulfilledFragments: Set<ObjectIdentifier> = [],
    deferredFragments: Set<ObjectIdentifier> = []
  ) {
    _data = data
    _fulfilledFragments = fulfilledFragments
    _deferredFragments = deferredFragments
  }

  /// The member with a name; nil if there is none.
  public subscript(key: String) -> AnyHashable? { _data[key] }
}

extension DataDict: __JSONWritable {
  /// Writes the members as a JSON object, sorted by name.
  public func __write(to writer: inout __JSONWriter) { Self.write(_data, to: &writer) }

  fileprivate static func write(_ members: [String: AnyHashable], to writer: inout __JSONWriter) {
    writer.writeObject { writer in
      for (name, value) in members.sorted(by: { $0.key < $1.key }) {
        writer.write(member: name, Value(base: value.base))
      }
    }
  }

  /// A member, or an element of a list.
  private struct Value: __JSONWritable {
    let base: Any

    func __write(to writer: inout __JSONWriter) {
      switch base {
      case let value as any __JSONWritable: value.__write(to: &writer)
      case let value as JSONNumber: writer.writeJSON(value)
      case let members as [String: AnyHashable]: DataDict.write(members, to: &writer)
      case let list as [AnyHashable]: writer.writeList(list) { Value(base: $1.base).__write(to: &$0) }
      default: writer.writeNull()
      }
    }
  }
}

extension SelectionSet {
  /// The data of the model as JSON. Fields with `@include` or `@skip` that are nil are left out.
  public var __data: DataDict {
    var writer = __JSONWriter()
    __write(to: &writer)
    // The writer has written an object.
    return DataDict((try? ResponseReader.jsonValue(ResponseBytes(writer.bytes))) as? JSONObject ?? [:])
  }

  /// Makes a model of data that the app's own code has made, such as a literal or the ``__data`` of another model.
  ///
  /// Nullable fields may be missing. A missing field with `@include` counts as left out. Data that does not fit stops
  /// the program and names the path of the field, because it is a mistake in the code; in Apollo iOS 1 the program
  /// stops when the field is used. For data from elsewhere, use `init(data:variables:)`, which throws.
  public init(_dataDict dict: DataDict) {
    var writer = __JSONWriter()
    dict.__write(to: &writer)
    do throws(ResponseDecodingError) {
      self = try ResponseReader.readObject(Self.self, from: ResponseBytes(writer.bytes)).data
    } catch {
      preconditionFailure(
        "\(Self.self)(_dataDict:): \(error) Use init(data:), which throws, for data that may not fit.")
    }
  }
}

extension DataDict {
  fileprivate init(_ object: JSONObject) { self.init(data: object.mapValues(Self.hashable)) }

  private static func hashable(_ value: JSONValue) -> AnyHashable {
    switch value {
    case let object as JSONObject: return DataDict(object)
    case let list as [JSONValue]: return list.map(hashable)
    case let value as any Hashable: return AnyHashable(value)
    default: return JSONNull()
    }
  }
}
