public import ApolloAPI
import Foundation

/// What is wrong with the parts of a response (`@defer` and `@stream`).
public enum IncrementalDeliveryError: ApolloError {
  /// A part is not JSON.
  case unreadablePart(ResponseDecodingError)
  /// A part is JSON of another form than incremental delivery has.
  case malformed(String)
  /// An increment came without a response that it could belong to.
  case unexpectedPart
  /// An increment belongs to something that the server has not announced, or has completed.
  case unknownIdentifier(String)
  /// An increment belongs to a place that the response does not have.
  case noSuchPlace([PathComponent])
  /// The parts end before the last one; these fragments were announced and did not come.
  case truncated(labels: [String])

  public var code: ApolloErrorCode {
    if case .truncated = self { .network } else { .invalidResponse }
  }

  public var message: String {
    switch self {
    case .unreadablePart(let error): "A part of the response cannot be read: \(error.message)"
    case .malformed(let what): "A part of the response is malformed: \(what)."
    case .unexpectedPart: "A part of a response came, but the response had not begun or was over."
    case .unknownIdentifier(let id): "A part of the response refers to '\(id)', which was not announced or is complete."
    case .noSuchPlace: "A part of the response belongs to a place that the response does not have."
    case .truncated(let labels):
      "The response ended before its last part"
        + (labels.isEmpty ? "." : ": " + labels.map { "'\($0)'" }.joined(separator: ", ") + " did not come.")
    }
  }

  public var path: [PathComponent] {
    if case .noSuchPlace(let path) = self { path } else { [] }
  }

  public var cause: (any Error)? {
    if case .unreadablePart(let error) = self { error } else { nil }
  }
}
