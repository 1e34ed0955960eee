public import ApolloAPI
import Foundation

extension IncrementalResponse {
  /// What is wrong with the parts of a response (`@defer` and `@stream`).
  public enum DeliveryError: ApolloError {
    /// A part is not JSON.
    case unreadablePart(ResponseDecodingError)
    /// A part is JSON, but not of a form that incremental delivery has. The text says what is wrong.
    case malformed(String)
    /// An increment came without a response that it could belong to.
    case unexpectedPart
    /// An increment belongs to something that the server has not announced, or has completed.
    case unknownIdentifier(String)
    /// An increment belongs to a path that the response does not have.
    case noSuchPlace([PathComponent])
    /// The response ended before its last part. The labels are those of the announced fragments that are missing.
    case truncated(labels: [String])
    /// The response has more parts than `parts` of ``ResponseLimits`` allows.
    case tooManyParts(limit: Int)
    /// The server has announced more parts than `announcements` of ``ResponseLimits`` allows.
    case tooManyAnnouncements(limit: Int)
    /// The server has announced more than a thousand parts at paths that the response does not have.
    case tooManyUnplacedParts(limit: Int)
    /// All parts together have more bytes than `responseSize` of ``ResponseLimits`` allows.
    case tooLarge(limit: Int)

    /// The kind of this error: ``ApolloErrorCode/network`` for parts that ended early, and otherwise
    /// ``ApolloErrorCode/invalidResponse``.
    public var code: ApolloErrorCode {
      if case .truncated = self { .network } else { .invalidResponse }
    }

    /// One sentence that says what went wrong.
    public var message: String {
      switch self {
      case .unreadablePart(let error): "A part of the response cannot be read: \(error.message)"
      case .malformed(let what): "A part of the response is malformed: \(what)."
      case .tooManyParts(let limit):
        "The response has more than \(limit) parts, which is the limit 'parts' of ResponseLimits."
      case .tooManyAnnouncements(let limit):
        "The server has announced more than \(limit) parts that have not come: see 'announcements' of ResponseLimits."
      case .tooManyUnplacedParts(let limit):
        "The server has announced more than \(limit) parts at paths that the response does not have."
      case .tooLarge(let limit):
        "The parts of the response have more than \(limit) bytes, which is the limit 'responseSize' of ResponseLimits."
      case .unexpectedPart: "A part of a response came, but the response had not begun or was over."
      case .unknownIdentifier(let id):
        "A part of the response refers to '\(id)', which was not announced or is complete."
      case .noSuchPlace: "A part of the response belongs to a place that the response does not have."
      case .truncated(let labels):
        "The response ended before its last part"
          + (labels.isEmpty ? "." : ": " + labels.map { "'\($0)'" }.joined(separator: ", ") + " did not come.")
      }
    }

    /// The path that the response does not have; empty for other errors.
    public var path: [PathComponent] {
      if case .noSuchPlace(let path) = self { path } else { [] }
    }

    /// Why a part cannot be read; nil for other errors.
    public var cause: (any Error)? {
      if case .unreadablePart(let error) = self { error } else { nil }
    }
  }
}
