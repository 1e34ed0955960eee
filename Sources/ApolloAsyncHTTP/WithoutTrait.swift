#if !AsyncHTTP
  /// Sends requests by swift-server's AsyncHTTPClient, once the package's trait `AsyncHTTP` is enabled.
  @available(
    *, unavailable,
    message: "It needs a trait. Where your Package.swift depends on apollo-swift, add: traits: [\"AsyncHTTP\"]"
  )
  public final class AsyncHTTPSession {}
#endif
