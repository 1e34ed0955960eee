/// Parses a `multipart` body as it arrives, and returns its parts (RFC 2046, section 5.1).
///
/// A part that is a JSON object is passed on as soon as the object is whole, because some servers write the delimiter
/// behind it only with the next part, or never. Every other part is passed on with the delimiter after it. Text
/// before the first delimiter and after the last one is ignored. The time is linear in the number of bytes, whatever
/// the size of the pieces and of the parts.
struct MultipartParser {
  struct Part: Hashable, Sendable {
    /// The header fields by name, in lower case.
    var headers: [String: String] = [:]
    var body: [UInt8]
  }

  enum Failure: Error, Hashable {
    /// A part is larger than allowed.
    case partTooLarge(limit: Int)
    /// The line of a delimiter has text after the boundary.
    case malformedDelimiter
    /// The header fields of a part do not end, or are not header fields.
    case malformedPart(excerpt: String)
  }

  private enum Position {
    /// In a part, or before the first one.
    case text
    /// After a boundary, in the line of its delimiter.
    case delimiter
    case end
  }

  /// CRLF, two hyphens and the boundary.
  private let delimiter: [UInt8]
  private let maximumPartSize: Int
  private var buffer: [UInt8] = Array("\r\n".utf8)
  /// Where what was not used yet begins. (To remove each part from the buffer would move the rest each time.)
  private var start = 0
  /// No delimiter begins before this index.
  private var searched = 0
  /// Looks for the end of a JSON object, and has looked at the bytes before this index.
  private var (scanner, scanned) = (PartScanner(), 0)
  /// The header fields of the part, once its object was passed on; nil before.
  private var passedHeaders: [String: String]?
  private var position = Position.text
  private var isPreamble = true

  init(boundary: String, maximumPartSize: Int) {
    delimiter = Array("\r\n--\(boundary)".utf8)
    self.maximumPartSize = maximumPartSize
  }

  /// True after the last delimiter.
  var isComplete: Bool { position == .end }

  /// Parses the next bytes.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - parts: Gets the parts that are complete with these bytes, also those before something that is malformed.
  /// - Throws: ``Failure``
  mutating func append(_ bytes: some Collection<UInt8>, to parts: inout [Part]) throws(Failure) {
    guard position != .end else { return }
    buffer.append(contentsOf: bytes)
    defer { removeUsed() }
    while true {
      switch position {
      case .end: return
      case .delimiter: guard try passDelimiterLine() else { return }
      case .text:
        let next = nextDelimiter()
        if !isPreamble { try passObject(before: next ?? buffer.count, to: &parts) }
        guard let end = next else {
          // (Written this way because a sum could overflow.)
          guard buffer.count - start - delimiter.count <= maximumPartSize else {
            throw .partTooLarge(limit: maximumPartSize)
          }
          return
        }
        guard end - start <= maximumPartSize else { throw .partTooLarge(limit: maximumPartSize) }
        if !isPreamble, let part = try remainder(in: buffer[start..<end]) { parts.append(part) }
        isPreamble = false
        start = end + delimiter.count
        searched = start
        position = .delimiter
      }
    }
  }

  /// Removes what was used, once for each piece.
  private mutating func removeUsed() {
    guard start > 0, position != .end else { return }
    buffer.removeFirst(start)
    searched -= start
    scanned -= start
    start = 0
  }

  /// Where the next delimiter begins.
  private mutating func nextDelimiter() -> Int? {
    let last = buffer.count - delimiter.count
    while searched <= last {
      if buffer[searched] == delimiter[0], delimiter.indices.allSatisfy({ buffer[searched + $0] == delimiter[$0] }) {
        return searched
      }
      searched += 1
    }
    return nil
  }

  /// Skips the text between a boundary and the end of its line. The end of the line may begin the next delimiter.
  ///
  /// - Returns: False if there are too few bytes to tell.
  private mutating func passDelimiterLine() throws(Failure) -> Bool {
    let hyphen = UInt8(ascii: "-")
    let line = buffer[start...]
    let padding = line.prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }.count
    if padding == 0, line.first == hyphen {
      guard line.count >= 2 else { return false }
      guard line[start + 1] == hyphen else { throw .malformedDelimiter }
      position = .end
      buffer = []
      start = 0
      return true
    }
    guard line.count >= padding + 2 else {
      if padding > 1000 { throw .malformedDelimiter }
      return false
    }
    guard line[start + padding] == UInt8(ascii: "\r"), line[start + padding + 1] == UInt8(ascii: "\n") else {
      throw .malformedDelimiter
    }
    start += padding
    searched = start
    scanned = start + 2
    scanner = PartScanner()
    passedHeaders = nil
    position = .text
    return true
  }

  /// Passes on the JSON object that is the body of the part, when its end has come.
  ///
  /// - Parameters:
  ///   - end: The index of the next delimiter, or the end of what has come.
  ///   - parts: Gets the part.
  /// - Throws: ``Failure``
  private mutating func passObject(before end: Int, to parts: inout [Part]) throws(Failure) {
    guard scanned < end else { return }
    let objectEnd = scanner.endOfObject(in: buffer[scanned..<end])
    scanned = end
    guard let objectEnd else { return }
    guard objectEnd - start <= maximumPartSize else { throw .partTooLarge(limit: maximumPartSize) }
    guard let part = try part(in: buffer[start..<objectEnd]) else { return }
    parts.append(part)
    passedHeaders = part.headers
    start = objectEnd
    searched = max(searched, start)
  }

  /// What was not passed on yet of the part before a delimiter.
  ///
  /// - Parameter bytes: The bytes up to the delimiter.
  /// - Returns: The part, or the text behind the object that was passed on, which does not belong there; nil for none.
  /// - Throws: ``Failure/malformedPart(excerpt:)``.
  private func remainder(in bytes: ArraySlice<UInt8>) throws(Failure) -> Part? {
    guard let passedHeaders else { return try part(in: bytes) }
    return bytes.allSatisfy(\.isBlank) ? nil : Part(headers: passedHeaders, body: Array(bytes))
  }

  /// Takes a part apart.
  ///
  /// - Parameter bytes: From the end of the delimiter's line, including that end, to the end of the part.
  /// - Returns: The part; nil if it is empty, as the last part of some servers is.
  /// - Throws: ``Failure/malformedPart(excerpt:)``.
  private func part(in bytes: ArraySlice<UInt8>) throws(Failure) -> Part? {
    var part = Part(body: [])
    var rest = bytes.dropFirst(2)
    // Some servers send an empty part before the last delimiter.
    guard !rest.allSatisfy(\.isBlank) else { return nil }
    while true {
      guard let lineEnd = rest.firstIndex(of: UInt8(ascii: "\n")) else {
        throw .malformedPart(excerpt: String(decoding: bytes.dropFirst(2).prefix(80), as: UTF8.self))
      }
      let line = String(decoding: rest[..<lineEnd], as: UTF8.self).drop { $0 == " " }
      rest = rest[(lineEnd + 1)...]
      let field = line.hasSuffix("\r") ? line.dropLast() : line
      if field.isEmpty { break }
      guard let colon = field.firstIndex(of: ":") else {
        throw .malformedPart(excerpt: String(decoding: bytes.dropFirst(2).prefix(80), as: UTF8.self))
      }
      part.headers[field[..<colon].lowercased()] = String(field[field.index(after: colon)...].drop { $0 == " " })
    }
    part.body = Array(rest)
    return part
  }
}
