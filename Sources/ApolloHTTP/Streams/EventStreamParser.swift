/// Parses a `text/event-stream` body as it arrives, and returns its events (WHATWG HTML, section 9.2.6).
struct EventStreamParser {
  struct Event: Hashable, Sendable {
    /// `message` if the server gave it no name.
    var name = "message"
    /// The lines of data, with a line feed between them.
    var data: [UInt8] = []
  }

  enum Failure: Error, Hashable {
    case eventTooLarge(limit: Int)
  }

  private let maximumEventSize: Int
  private var line: [UInt8] = []
  private var event = Event()
  private var hasData = false
  private var isAfterCarriageReturn = false
  private var isFirstLine = true

  init(maximumEventSize: Int) { self.maximumEventSize = maximumEventSize }

  /// Parses the next bytes.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - events: Gets the events that are complete with these bytes, also those before one that is too large.
  /// - Throws: ``Failure``
  mutating func append(_ bytes: some Sequence<UInt8>, to events: inout [Event]) throws(Failure) {
    for byte in bytes {
      // A line ends in LF, CR, or both.
      if byte == UInt8(ascii: "\n"), isAfterCarriageReturn {
        isAfterCarriageReturn = false
        continue
      }
      isAfterCarriageReturn = byte == UInt8(ascii: "\r")
      if isAfterCarriageReturn || byte == UInt8(ascii: "\n") {
        if let event = endLine() { events.append(event) }
      } else {
        line.append(byte)
        guard line.count + event.data.count <= maximumEventSize else { throw .eventTooLarge(limit: maximumEventSize) }
      }
    }
  }

  /// Ends the last line of a body that has ended.
  ///
  /// - Returns: The name of the event that the body has not ended. Its data is not whole, so it does not count.
  mutating func finish() -> String {
    if !line.isEmpty { _ = endLine() }
    return event.name
  }

  private mutating func endLine() -> Event? {
    defer { line.removeAll(keepingCapacity: true) }
    if isFirstLine {
      isFirstLine = false
      if line.starts(with: [0xef, 0xbb, 0xbf]) { line.removeFirst(3) }
    }
    guard !line.isEmpty else {
      defer {
        event = Event()
        hasData = false
      }
      // An event without data is ignored, unless it has a name: the last event of GraphQL over SSE may have no data.
      return hasData || event.name != "message" ? event : nil
    }
    let colon = line.firstIndex(of: UInt8(ascii: ":"))
    // A line that begins with a colon is a comment, which servers send to keep the connection open.
    guard colon != 0 else { return nil }
    let name = line[..<(colon ?? line.count)]
    var value = line[min((colon ?? line.count) + 1, line.count)...]
    if value.first == UInt8(ascii: " ") { value.removeFirst() }
    switch String(decoding: name, as: UTF8.self) {
    case "event": event.name = value.isEmpty ? "message" : String(decoding: value, as: UTF8.self)
    case "data":
      if hasData { event.data.append(UInt8(ascii: "\n")) }
      event.data += value
      hasData = true
    default: break
    }
    return nil
  }
}
