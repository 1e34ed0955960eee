// JSON values that can be compared and hashed, as in Apollo iOS 1, where each of them is an `AnyHashable`.

// (Deprecated, because they take values of every type, where the compiler would refuse a type that is not `Hashable`.)

extension AnyHashable {
  /// Makes a value that can be compared of a JSON value, whose type does not say that it can be: lists become
  /// `[AnyHashable]`, and objects `[String: AnyHashable]`.
  ///
  /// A value that is neither JSON nor `Hashable` is compared by its description.
  ///
  ///     AnyHashable(a._jsonValue) == AnyHashable(b._jsonValue)
  @_disfavoredOverload
  @available(*, deprecated, message: "Compare what the value has, in place of its JSON.")
  public init(_ value: JSONValue) { self = .comparable(value) }

  /// A JSON value as one that can be compared.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - leaf: Gives what is neither an object nor a list another type. By default it keeps its own.
  /// - Returns: The value, and all that is in it, as values that can be compared.
  static func comparable(_ value: JSONValue, leaf: (JSONValue) -> JSONValue = { $0 }) -> AnyHashable {
    switch value {
    case let object as JSONObject: return AnyHashable(object.mapValues { comparable($0, leaf: leaf) })
    case let list as [JSONValue]: return AnyHashable(list.map { comparable($0, leaf: leaf) })
    default:
      let value = leaf(value)
      if let value = value as? any Hashable { return AnyHashable(value) }
      return AnyHashable(
        DescribedValue(type: ObjectIdentifier(type(of: value)), description: String(describing: value)))
    }
  }
}

/// What is compared in place of a value that cannot be.
private struct DescribedValue: Hashable {
  let type: ObjectIdentifier
  let description: String
}

extension Hasher {
  /// Feeds a JSON value into the hasher, whose type does not say that it can be hashed.
  ///
  ///     hasher.combine(_jsonValue)
  @_disfavoredOverload
  @available(*, deprecated, message: "Hash what the value has, in place of its JSON.")
  public mutating func combine(_ value: JSONValue) { combine(AnyHashable.comparable(value)) }
}

extension JSONDecodingError: Hashable {
  /// Compares the cases, their types and their values.
  public static func == (a: Self, b: Self) -> Bool { a.parts == b.parts }
  /// Feeds the case, its type and its value into a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(parts) }

  private var parts: [AnyHashable] {
    switch self {
    case .missingValue: [0]
    case .nullValue: [1]
    case .wrongType: [2]
    case .couldNotConvert(let value, let type): [3, .comparable(value), ObjectIdentifier(type)]
    case .notImplemented(let type): [4, ObjectIdentifier(type)]
    }
  }
}
