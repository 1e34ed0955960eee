extension WebSocketTransport {
  /// The system's WebSocket where there is one, else SwiftNIO's.
  public static var defaultEngine: any WebSocketEngine {
    #if canImport(Darwin)
      URLSessionWebSocketEngine()
    #else
      NIOWebSocketEngine()
    #endif
  }
}
