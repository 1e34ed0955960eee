// What the functions that make cache keys are given, looked into as in Apollo iOS 1.2 to 2: a value is an object or a
// list where the type that is asked for says so.

/// A list in an object of a response; see ``ObjectData``.
public struct ListData: Sendable {
  private let values: [JSONValue]

  init?(_ value: JSONValue?) {
    guard let values = value as? [JSONValue] else { return nil }
    self.values = values
  }

  /// The number of elements.
  public var count: Int { values.count }

  /// The element at an index; nil if the list has no such element, or if it is null.
  public subscript(_ index: Int) -> JSONValue? { values.indices.contains(index) ? unlessNull(values[index]) : nil }
  /// The object at an index; nil if the list has no such element, or if it is another value.
  @_disfavoredOverload
  public subscript(_ index: Int) -> ObjectData? { (self[index] as JSONValue?) as? ObjectData }
  /// The list at an index; nil if the list has no such element, or if it is another value.
  @_disfavoredOverload
  public subscript(_ index: Int) -> ListData? { ListData(self[index] as JSONValue?) }
}

extension ObjectData {
  /// The object in a field; nil if there is none, or if it has a key of its own.
  @_disfavoredOverload
  public subscript(_ field: String) -> ObjectData? { (self[field] as JSONValue?) as? ObjectData }
  /// The list in a field; nil if there is none.
  @_disfavoredOverload
  public subscript(_ field: String) -> ListData? { ListData(self[field] as JSONValue?) }
}

extension FieldPolicy {
  /// A list in the arguments of a field; see ``FieldPolicy/InputData``.
  public struct InputListData: Sendable {
    private let values: [JSONValue]

    init?(_ value: JSONValue?) {
      guard let values = value as? [JSONValue] else { return nil }
      self.values = values
    }

    /// The number of elements.
    public var count: Int { values.count }

    /// The element at an index; nil if the list has no such element, or if it is null.
    public subscript(_ index: Int) -> JSONValue? { values.indices.contains(index) ? unlessNull(values[index]) : nil }
    /// The input object at an index; nil if the list has no such element, or if it is another value.
    @_disfavoredOverload
    public subscript(_ index: Int) -> InputData? { InputData(self[index] as JSONValue?) }
    /// The list at an index; nil if the list has no such element, or if it is another value.
    @_disfavoredOverload
    public subscript(_ index: Int) -> InputListData? { InputListData(self[index] as JSONValue?) }
  }
}

extension FieldPolicy.InputData {
  fileprivate init?(_ value: JSONValue?) {
    guard let object = value as? JSONObject else { return nil }
    self.init(arguments: object)
  }

  /// The input object in an argument; nil if there is none.
  @_disfavoredOverload
  public subscript(_ argument: String) -> FieldPolicy.InputData? { Self(self[argument] as JSONValue?) }
  /// The list in an argument; nil if there is none.
  @_disfavoredOverload
  public subscript(_ argument: String) -> FieldPolicy.InputListData? {
    FieldPolicy.InputListData(self[argument] as JSONValue?)
  }
}
