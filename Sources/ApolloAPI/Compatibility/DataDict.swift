/// The data of a model as JSON, by the name and with the members of releases 1.x of Apollo iOS, where models are made of it.
///
/// Here they are structs, and this is made of one, or read into one, when it is asked for.
///
///     let copy = ReviewQuery.Data.Review(_dataDict: DataDict(data: ["__typename": "Review", "stars": 5], fulfilledFragments: []))
public struct DataDict: Hashable, @unchecked Sendable {
  // The values are JSON, or types that become JSON, and nobody changes them.

  /// The members by their names in the response. An object in it is a `DataDict`, a list an `[AnyHashable]`, and null is
  /// ``JSONNull``.
  public var _data: [String: AnyHashable]
  /// As they were given. Which fragments a model has follows from `__typename`.
  public let _fulfilledFragments: Set<ObjectIdentifier>
  /// As they were given.
  public let _deferredFragments: Set<ObjectIdentifier>

  /// - Parameters:
  ///   - data: JSON in Swift's own types, `DataDict`s, models, values of enums and of custom scalars, and optionals of
  ///     them. What is none of these is null.
  ///   - fulfilledFragments: Kept, and without effect: put a `__typename` into `data` for the parts on types (`asDroid`).
  ///   - deferredFragments: Kept, and without effect.
  public init(
    data: [String: AnyHashable], fulfilledFragments: Set<ObjectIdentifier> = [],
    deferredFragments: Set<ObjectIdentifier> = []
  ) {
    _data = data
    _fulfilledFragments = fulfilledFragments
    _deferredFragments = deferredFragments
  }

  /// Any member; nil if there is none.
  public subscript(key: String) -> AnyHashable? { _data[key] }
}

extension DataDict: JSONWritable {
  public func write(to writer: inout JSONWriter) { Self.write(_data, to: &writer) }

  fileprivate static func write(_ members: [String: AnyHashable], to writer: inout JSONWriter) {
    writer.writeObject { writer in
      for (name, value) in members.sorted(by: { $0.key < $1.key }) {
        writer.write(member: name, Value(base: value.base))
      }
    }
  }

  /// A member, or an element of a list.
  private struct Value: JSONWritable {
    let base: Any

    func write(to writer: inout JSONWriter) {
      switch base {
      case let value as any JSONWritable: value.write(to: &writer)
      case let value as JSONNumber: writer.writeJSON(value)
      case let members as [String: AnyHashable]: DataDict.write(members, to: &writer)
      case let list as [AnyHashable]: writer.writeList(list) { Value(base: $1.base).write(to: &$0) }
      default: writer.writeNull()
      }
    }
  }
}

extension SelectionSet {
  /// The data as JSON. Fields with `@include` or `@skip` that are nil are left out.
  public var __data: DataDict {
    var writer = JSONWriter()
    write(to: &writer)
    // (What the writer wrote is an object.)
    return DataDict((try? ResponseReader.jsonValue(ResponseBytes(writer.bytes))) as? JSONObject ?? [:])
  }

  /// Reads a model from data that the app's own code made, such as a literal or the ``__data`` of another model.
  ///
  /// Fields that may be null may be missing. A field with `@include` counts as left out. Data that does not fit stops the
  /// program, with the path of the field: it is a mistake in the code, as in releases 1.x of Apollo iOS, where the program
  /// stops when the field is used. For data from elsewhere there is an initializer that throws, `init(data:variables:)`.
  public init(_dataDict dict: DataDict) {
    var writer = JSONWriter()
    dict.write(to: &writer)
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
