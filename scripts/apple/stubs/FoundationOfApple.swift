// What Apple's Foundation declares and that of Linux does not, as far as the package uses it.
import Foundation
import FoundationNetworking

/// The functions of this protocol are optional.
extension URLSessionWebSocketDelegate {
  public func urlSession(
    _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
    didCloseWith closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?
  ) {}
}

extension JSONSerialization.ReadingOptions {
  public static var json5Allowed: Self { Self(rawValue: 1 << 3) }
}

#if !os(macOS)
  extension ProcessInfo {
    public func performExpiringActivity(
      withReason reason: String, using block: @escaping @Sendable (Bool) -> Void
    ) {}
  }
#endif
