// Members that every model has in Apollo iOS 1 and 2, for code that is generic over models. A property that is generated
// for a field of the same name comes first.

extension SelectionSet {
  /// The name of the object's type; nil if the model does not select it. Each call looks for it in the model. (A model that
  /// selects it also has a stored property of this name, which code for that model uses.)
  @_disfavoredOverload
  public var __typename: String? { (try? ModelObject(self, variables: .none))?.typename }

  /// The data as JSON text.
  @_disfavoredOverload
  public var debugDescription: String {
    var writer = __JSONWriter()
    __write(to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
