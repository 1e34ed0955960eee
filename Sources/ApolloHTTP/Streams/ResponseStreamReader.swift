import ApolloOperations
import ApolloTransport
import ApolloAPI
import ApolloCache
import Foundation

/// Reads a body that comes in parts: gives one GraphQL response after the other.
actor ResponseStreamReader {
  typealias ParsingError = MultipartResponseParsingInterceptor.ParsingError

  /// The server has ended a subscription.
  struct ServerEnd: Error {
    /// The message that says so, with all errors.
    let message: Data
    /// The first error.
    let reason: GraphQLError
  }

  private var parser: MessageParser
  private let isSubscription: Bool
  private var pieces: AsyncThrowingStream<Data, any Error>?
  private var messages: ArraySlice<[UInt8]> = []
  private var merged: IncrementalResponse
  /// Whether the last result has come.
  private var isComplete = false
  /// The error that ends the sequence after the messages before it.
  private var failure: (any Error)?

  init(
    _ parser: MessageParser, isSubscription: Bool, mayStream: Bool, limits: ResponseLimits, clock: any ClientClock,
    pieces: AsyncThrowingStream<Data, any Error>
  ) {
    self.parser = parser
    merged = IncrementalResponse(limits: limits, mayStream: mayStream, clock: clock)
    self.isSubscription = isSubscription
    self.pieces = pieces
  }

  /// The next response; nil after the last one. The request is then stopped, even if the server still sends data.
  func next() async throws -> ResponsePart? {
    while true {
      while let message = messages.popFirst() {
        if let response = try response(in: message) { return response }
        if isComplete { break }
      }
      if !isComplete, let failure { throw failure }
      if parser.isComplete || isComplete { return try end() }
      try await receive()
    }
  }

  /// Ends the response.
  ///
  /// - Returns: nil.
  /// - Throws: What the server has promised and not sent.
  private func end() throws -> ResponsePart? {
    pieces = nil
    try merged.finish()
    return nil
  }

  private func receive() async throws {
    guard let data = try await nextPiece() else {
      parser.finish()
      guard !parser.isComplete else { return }
      try merged.finish()
      throw ParsingError.prematureEnd
    }
    do {
      try parser.append(data, to: &messages)
    } catch {
      failure = error
    }
  }

  private func nextPiece() async throws -> Data? {
    guard let pieces else { return nil }
    return try await Self.next(of: pieces)
  }

  /// The next element. (An iterator that belongs to the actor could not be used here: `next(isolation:)` needs newer
  /// Apple releases than this package supports.)
  private static func next(of pieces: AsyncThrowingStream<Data, any Error>) async throws -> Data? {
    // Each iterator of such a stream continues where the previous one stopped.
    var iterator = pieces.makeAsyncIterator()
    return try await iterator.next()
  }

  /// - Returns: nil for a sign of life, or for a part that brings nothing.
  /// - Throws: ``ServerEnd`` for what the server says of the transport, which ends a subscription.
  private func response(in message: [UInt8]) throws -> ResponsePart? {
    let bytes = ResponseBytes(message)
    guard isSubscription, let members = try? JSONMembers(bytes) else { return try merge(bytes) }
    // Apollo's protocol for subscriptions has an envelope; GraphQL over SSE does not.
    let payload = members.text(of: "payload")
    guard payload != nil || isAboutTransport(members) else { return try merge(bytes) }
    if let errors = members.value(of: "errors") as? [JSONValue], let first = errors.first {
      throw ServerEnd(message: Data(message), reason: GraphQLError(anyValue: first))
    }
    guard let payload, payload.text != "null" else { return nil }
    return try merge(payload)
  }

  private func isAboutTransport(_ members: JSONMembers) -> Bool {
    parser.hasTransportMessages && members.text(of: "data") == nil && members.text(of: "errors") != nil
  }

  private func merge(_ bytes: ResponseBytes) throws -> ResponsePart? {
    let response: ResponseBytes?
    do {
      response = try merged.merge(bytes)
    } catch {
      // The reader of JSON has looked at all bytes already, so this one looks only at those that cannot be read.
      guard case .unreadablePart = error, String(bytes: bytes.array, encoding: .utf8) == nil else { throw error }
      throw ParsingError.cannotParseResponseData
    }
    // (A sign of life may come before the first part.)
    if !isSubscription, response != nil, !merged.hasNext { isComplete = true }
    return response.map { ResponsePart(bytes: Data(bytes.text.utf8), response: Data($0.text.utf8)) }
  }
}
