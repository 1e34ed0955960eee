/// How much a server may make a connection hold or do. Beyond a limit, the connection or the operation ends with an error
/// that names the limit.
///
/// ``WebSocketTransport/Configuration/limits`` has those of a transport. The engine that a transport makes by default has
/// the same ones; an engine that the app passes has the ones that it was made with.
public struct WebSocketLimits: Hashable, Sendable {
  /// The largest message of a server in bytes, at most 4 GB. The default is 16 MB. A larger message closes the connection
  /// with 1009.
  public var messageSize: Int
  /// How many frames a message of a server may have. The default is 100,000. More frames close the connection with 1008.
  ///
  /// ``messageSize`` does not limit them, because a frame may be empty. On Apple's systems, the system puts frames
  /// together, and this limit has no effect.
  public var framesPerMessage: Int
  /// How many bytes may wait because the server does not read. The default is 1 MB.
  ///
  /// Operations wait in their own memory until there is room, and one operation that is larger is sent by itself. The
  /// connection, and its operations, end with ``WebSocketError/ErrorKind/tooManyUnreadBytes(limit:)`` if the messages that
  /// cannot wait, such as the ends of operations, are more than that, or if operations wait and the server has read
  /// nothing from one ping to the next.
  public var unreadBytes: Int
  /// How many bytes the results of an operation may have that wait for the app to take them. The default is 64 MB.
  ///
  /// One more result ends the operation with ``WebSocketError/ErrorKind/tooManyResultBytes(limit:)``, unless its
  /// buffering is `unlimited`. Results have the size of their JSON text.
  public var waitingBytes: Int

  /// Makes limits. Arguments that are left out have the defaults of the properties.
  public init(
    messageSize: Int = 16 << 20, framesPerMessage: Int = 100_000, unreadBytes: Int = 1 << 20,
    waitingBytes: Int = 64 << 20
  ) {
    self.messageSize = messageSize
    self.framesPerMessage = framesPerMessage
    self.unreadBytes = unreadBytes
    self.waitingBytes = waitingBytes
  }
}
