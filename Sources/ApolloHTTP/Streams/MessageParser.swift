import ApolloAPI
import Foundation

/// Parses a body in parts as it arrives, and returns its JSON messages. The body is multipart or an event stream.
struct MessageParser {
  typealias ParsingError = MultipartResponseParsingInterceptor.ParsingError

  // (Each parser is changed in its place. A copy of it would be a copy of all bytes that wait, for each piece.)

  /// Reads a multipart body; nil for an event stream.
  private var multipart: MultipartParser?
  /// Reads an event stream.
  private var eventStream: EventStreamParser
  /// Whether the server has said that nothing more follows.
  private(set) var isComplete = false

  /// Whether the messages of a subscription may be about the transport, in place of events (Apollo's protocol).
  var hasTransportMessages: Bool { multipart != nil }

  /// Makes a parser for a body.
  ///
  /// - Parameters:
  ///   - type: The media type of the whole response.
  ///   - maximumSize: How many bytes a message may have.
  /// - Throws: ``ParsingError`` if the type has no boundary, or names a protocol that is not supported.
  init(_ type: MediaType, maximumSize: Int) throws(ParsingError) {
    eventStream = EventStreamParser(maximumEventSize: maximumSize)
    guard type.type == "multipart/mixed" else { return }
    guard let boundary = type.parameters["boundary"], !boundary.isEmpty else { throw .missingMultipartBoundary }
    for (name, version) in Self.versions {
      // (The server strawberry adds a second media type after a comma.)
      guard let value = type.parameters[name]?.split(separator: ",").first else { continue }
      guard value == version else { throw .invalidMultipartProtocol }
    }
    multipart = MultipartParser(boundary: boundary, maximumPartSize: maximumSize)
  }

  /// The protocols that are supported, and their versions. If a server names none, its protocol is recognized by what
  /// it sends.
  private static let versions = ["subscriptionSpec": "1.0", "deferSpec": "20220824", "incrementalSpec": "v0.2"]
    .reduce(into: [:]) { $0[$1.key.lowercased()] = $1.value }

  /// Parses the next bytes.
  ///
  /// - Parameters:
  ///   - data: The bytes.
  ///   - messages: Gets the messages that are complete with these bytes, also those before something that is malformed.
  /// - Throws: ``ParsingError``
  mutating func append(_ data: Data, to messages: inout ArraySlice<[UInt8]>) throws(ParsingError) {
    guard !isComplete else { return }
    if multipart == nil { try appendEvents(data, to: &messages) } else { try appendParts(data, to: &messages) }
  }

  /// Takes the end of the body. The last event of a stream may say that it is complete without a line end behind it.
  mutating func finish() {
    if multipart == nil, eventStream.finish() == "complete" { isComplete = true }
  }

  private mutating func appendParts(_ data: Data, to messages: inout ArraySlice<[UInt8]>) throws(ParsingError) {
    var parts: [MultipartParser.Part] = []
    let failure: ParsingError?
    do {
      try multipart?.append(data, to: &parts)
      failure = nil
    } catch {
      failure = ParsingError(error)
    }
    isComplete = multipart?.isComplete ?? false
    for part in parts {
      if let field = part.headers["content-type"], !MediaType(field).isJSON {
        throw .unsupportedContentType(type: field)
      }
      if !isBlank(part.body) { messages.append(part.body) }
    }
    if let failure { throw failure }
  }

  /// Whether a message has no text, by which some servers keep a connection open.
  private func isBlank(_ message: [UInt8]) -> Bool { message.allSatisfy(\.isBlank) }

  private mutating func appendEvents(_ data: Data, to messages: inout ArraySlice<[UInt8]>) throws(ParsingError) {
    var events: [EventStreamParser.Event] = []
    defer {
      for event in events where !isComplete {
        switch event.name {
        // (Some servers give their events no name.)
        case "next", "message": if !isBlank(event.data) { messages.append(event.data) }
        case "complete": isComplete = true
        default: break
        }
      }
    }
    do {
      try eventStream.append(data, to: &events)
    } catch {
      switch error {
      case .eventTooLarge(let limit): throw .partTooLarge(limit: limit)
      }
    }
  }
}

extension MultipartResponseParsingInterceptor.ParsingError {
  init(_ failure: MultipartParser.Failure) {
    switch failure {
    case .partTooLarge(let limit): self = .partTooLarge(limit: limit)
    case .malformedDelimiter: self = .malformed("there is something behind the boundary in the line of a delimiter")
    case .malformedPart(let excerpt): self = .malformed("a part has no header fields that end: \(excerpt)")
    }
  }
}
