extension WebSocketTransport {
  /// The engine that is used by default: the system's WebSocket, or SwiftNIO's on systems without one.
  public static var defaultEngine: any WebSocketEngine { defaultEngine(WebSocketLimits()) }

  static func defaultEngine(_ limits: WebSocketLimits) -> any WebSocketEngine {
    #if canImport(Darwin)
      URLSessionWebSocketEngine(limits: limits)
    #else
      NIOWebSocketEngine(limits: limits)
    #endif
  }
}
