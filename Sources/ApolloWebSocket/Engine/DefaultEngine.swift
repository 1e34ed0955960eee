extension WebSocketTransport {
  /// The engine that is used by default: the system's WebSocket, or SwiftNIO's on systems without one.
  public static var defaultEngine: any WebSocketEngine {
    #if canImport(Darwin)
      URLSessionWebSocketEngine()
    #else
      NIOWebSocketEngine()
    #endif
  }
}
