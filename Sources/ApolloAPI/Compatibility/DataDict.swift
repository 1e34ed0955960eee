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

  /// The member with a name, as a value of the type that is asked for: a scalar, an enum, a model, or a list of them.
  ///
  ///     let name: String? = hero.__data["name"]
  ///
  /// nil if the member is missing, is null, or is a value of another type: a server may have left it out. In Apollo iOS 1
  /// the type could be one that is not optional, and the program stopped if the member was missing.
  public subscript<Value: __OutputValue>(key: String) -> Value? {
    get {
      guard let member = _data[key] else { return nil }
      return try? ResponseReader.readValue(Value.self, from: Self.json(Member(base: member.base)))
    }
    set {
      // (The JSON that a value writes can be parsed.)
      let json = newValue.flatMap { value in __JSONWriter().value { value.__write(to: &$0) } }
      _data[key] = json.map(Self.hashable)
    }
  }

  private static func json(_ value: some __JSONWritable) -> ResponseBytes {
    var writer = __JSONWriter()
    value.__write(to: &writer)
    return ResponseBytes(writer.bytes)
  }
}

extension DataDict: __JSONWritable {
  /// Writes the members as a JSON object, sorted by name.
  public func __write(to writer: inout __JSONWriter) { Self.write(_data, to: &writer) }

  fileprivate static func write(_ members: [String: AnyHashable], to writer: inout __JSONWriter) {
    writer.writeObject { writer in
      for (name, value) in members.sorted(by: { $0.key < $1.key }) {
        writer.write(member: name, Member(base: value.base))
      }
    }
  }

  /// A member, or an element of a list.
  private struct Member: __JSONWritable {
    let base: Any

    func __write(to writer: inout __JSONWriter) {
      switch base {
      case let value as any __JSONNumberConvertible: writer.writeJSON(value)
      case let value as any __JSONWritable: value.__write(to: &writer)
      case let value as JSONNumber: writer.writeJSON(value)
      case let members as [String: AnyHashable]: DataDict.write(members, to: &writer)
      case let list as [AnyHashable]: writer.writeList(list) { Member(base: $1.base).__write(to: &$0) }
      default: writer.writeNull()
      }
    }
  }
}

extension SelectionSet {
  /// The data of the model as JSON. Fields with `@include` or `@skip` that are nil are left out.
  ///
  /// After a change of it, or of a member of it, the model is read again from all of the data, as by `init(_dataDict:)`,
  /// which stops the program for data that does not fit. To change fields, set the model's own properties: then nothing
  /// is read again.
  public var __data: DataDict {
    // (The writer has written an object.)
    get { DataDict(__JSONWriter().value { __write(to: &$0) } as? JSONObject ?? [:]) }
    set { self = Self(_dataDict: newValue) }
  }

  /// Makes a model of data that the app's own code has made, such as a literal or the ``__data`` of another model.
  ///
  /// Nullable fields may be missing. A field with `@include` or `@skip` is there if the data has it, and a fragment under
  /// a condition if the data has all of its fields. A part on a type under a condition (`... on Droid @include(if: $a)`)
  /// is there unless the data lacks what it needs, or a field elsewhere tells the variable. Data that does not fit stops
  /// the program and names the path of the field, because it is a mistake in the code; in Apollo iOS 1 the program stops
  /// when the field is used. For data from elsewhere, use `init(data:variables:)`, which throws.
  public init(_dataDict dict: DataDict) {
    var writer = __JSONWriter()
    dict.__write(to: &writer)
    do throws(ResponseDecodingError) {
      self = try ResponseReader.readValue(Self.self, from: ResponseBytes(writer.bytes))
    } catch {
      preconditionFailure(
        "\(Self.self)(_dataDict:): \(error) Use init(data:), which throws, for data that may not fit.")
    }
  }
}

extension DataDict {
  fileprivate init(_ object: JSONObject) { self.init(data: object.mapValues(Self.hashable)) }

  fileprivate static func hashable(_ value: JSONValue) -> AnyHashable {
    switch value {
    case let object as JSONObject: return DataDict(object)
    case let list as [JSONValue]: return list.map(hashable)
    case let value as any Hashable: return AnyHashable(value)
    default: return JSONNull()
    }
  }
}
