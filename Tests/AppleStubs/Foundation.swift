import Foundation
import FoundationNetworking

/// In Apple's Foundation the functions of this protocol are optional.
extension URLSessionWebSocketDelegate {
  func urlSession(
    _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
    didCloseWith closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?
  ) {}
}

extension JSONSerialization.ReadingOptions {
  static let json5Allowed = Self(rawValue: 1 << 3)
}
