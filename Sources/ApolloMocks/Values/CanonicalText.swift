import GraphQLExecution

extension GraphQLValue {
  /// A text that is equal for equal values, whatever the order of members.
  var canonicalText: String {
    switch self {
    case .object(let members):
      "{" + members.canonicalMembers.joined(separator: ",") + "}"
    case .list(let elements): "[" + elements.map(\.canonicalText).joined(separator: ",") + "]"
    // 1 and 1.0 are one number.
    case .double(let number): Int(exactly: number).map { "\($0)" } ?? text
    case .opaque(let value): String(describing: value)
    default: text
    }
  }

  /// The value as JSON.
  var text: String { String(decoding: json, as: UTF8.self) }
}

extension GraphQLValue.Object {
  fileprivate var canonicalMembers: [String] {
    sorted { $0.key < $1.key }.map { "\($0.key):\($0.value.canonicalText)" }
  }

  /// The arguments of a field as a part of a place: empty if there are none.
  var canonicalArguments: String { isEmpty ? "" : "(" + canonicalMembers.joined(separator: ",") + ")" }
}
