/// An error that a server reported for a field, kept in the place of the field's value.
package final class CachedError: Sendable {
  /// The error as JSON.
  package let text: String
  private let object: JSONObject
  /// The part of the error's path after the field that holds the error. It is not empty if the field that failed is
  /// deeper: its null made this field null.
  private let suffix: [PathComponent]

  init(_ error: GraphQLError, suffix: [PathComponent]) {
    object = error.object
    self.suffix = suffix
    var stored = object
    stored["path"] = suffix.map(\.jsonValue)
    text = GraphQLError(stored).json
  }

  /// - Parameter text: What ``text`` was before; nil if it is anything else.
  package init?(text: String) {
    guard let object = try? JSONCursor.value(of: text) as? JSONObject else { return nil }
    self.object = object
    self.text = text
    suffix = GraphQLError(object).path ?? []
  }

  /// Whether both are one failure, wherever the document or the data has it.
  package func isSameFailure(as other: CachedError) -> Bool {
    func contents(_ error: CachedError) -> String {
      var object = error.object
      object["path"] = nil
      object["locations"] = nil
      return GraphQLError(object).json
    }
    return text == other.text || contents(self) == contents(other)
  }

  /// The error for a reader of the field.
  func error(at path: [PathComponent]) -> GraphQLError {
    var object = object
    object["path"] = (path + suffix).map(\.jsonValue)
    return GraphQLError(object)
  }
}
