/// The state of a deferred fragment in a response that was joined of parts.
///
/// The object that a fragment belongs to has a member `@defer`, which cannot be the name of a field. It has a member
/// for the label of each fragment: `{"@defer": {"details": "pending"}, "name": "R2-D2"}`. A fragment that is not
/// mentioned was executed with its object. But if the response itself has a member `@defer` before its data, that is
/// the state of all fragments that are neither mentioned nor there. (The form of 2022 does not announce what will
/// come, and in that of the draft a fragment may be announced later than its object comes.)
package enum DeferMark: Sendable {
  case pending, ready, notExecuted
  case failed([GraphQLError])

  /// The name of the member, which cannot be the name of a field.
  package static let member = "@defer"
  /// The name of the member of a response that says whether lists may be shorter in it than in the whole answer: they
  /// grow with later parts (`@stream`), or the server has failed to send the rest.
  package static let openLists = "@stream"

  init?(_ value: JSONValue?) {
    switch value {
    case let name as String:
      switch name {
      case "pending": self = .pending
      case "ready": self = .ready
      case "notExecuted": self = .notExecuted
      default: return nil
      }
    case let errors as [JSONValue]: self = .failed(errors.map { GraphQLError(anyValue: $0) })
    default: return nil
    }
  }
}

extension DeferMark: __JSONWritable {
  /// Writes the state, as ``init(_:)`` reads it.
  package func __write(to writer: inout __JSONWriter) {
    switch self {
    case .pending: writer.write("pending")
    case .ready: writer.write("ready")
    case .notExecuted: writer.write("notExecuted")
    case .failed(let errors): writer.writeList(errors) { $0.writeJSON($1.object) }
    }
  }
}
