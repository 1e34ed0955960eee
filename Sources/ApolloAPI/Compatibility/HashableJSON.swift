// JSON values that can be compared and hashed, as in Apollo iOS 1, where each of them is an `AnyHashable`.

// (The two public functions are deprecated: they take a value of every type, and so the compiler does not refuse one that
// is not `Hashable`.)

extension AnyHashable {
  /// Makes a value that can be compared from a JSON value. Lists become `[AnyHashable]`, and objects
  /// `[String: AnyHashable]`.
  ///
  /// A value that is neither JSON nor `Hashable` is compared by its description.
  ///
  ///     AnyHashable(a._jsonValue) == AnyHashable(b._jsonValue)
  @_disfavoredOverload
  @available(*, deprecated, message: "Compare the value itself, not its JSON.")
  public init(_ value: JSONValue) { self = .comparable(value) }

  /// A JSON value as one that can be compared.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - leaf: Converts a value that is neither an object nor a list. By default the value stays as it is.
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

/// The type and the description of a value that is not `Hashable`. They are compared in its place.
private struct DescribedValue: Hashable {
  let type: ObjectIdentifier
  let description: String
}

extension Hasher {
  /// Feeds a JSON value into the hasher. The type of the value need not be `Hashable`.
  ///
  ///     hasher.combine(_jsonValue)
  @_disfavoredOverload
  @available(*, deprecated, message: "Hash the value itself, not its JSON.")
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
