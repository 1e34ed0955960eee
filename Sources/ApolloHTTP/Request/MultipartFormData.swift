import ApolloTransport
import ApolloAPI
public import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A request body of named parts: `multipart/form-data` (RFC 7578).
public final class MultipartFormData {
  private struct Part: Equatable {
    let head: Data
    let contents: Contents
    let length: UInt64
  }

  private enum Contents: Equatable {
    case data(Data)
    case stream(InputStream)
    case file(URL)
  }

  /// The text that separates the parts.
  public let boundary: String
  private var parts: [Part] = []

  /// Makes a form without parts.
  ///
  /// - Parameter boundary: The text that separates the parts. It must not occur in a part.
  public init(boundary: String) { self.boundary = boundary }

  /// Makes a form without parts, and with a random boundary.
  public convenience init() { self.init(boundary: "apollo-swift.boundary.\(UUID().uuidString)") }

  /// Makes a form with operations and their files (GraphQL multipart request specification).
  ///
  /// - Parameters:
  ///   - boundary: The text that separates the parts.
  ///   - operations: The JSON of one operation, or of a list of operations.
  ///   - files: The files, and where each belongs.
  convenience init(boundary: String, operations: Data, files: [UploadedFile]) {
    self.init(boundary: boundary)
    appendPart(data: operations, name: "operations")
    // (Written by hand, because the parts are in the order of their numbers, and a sorted JSON object would be in the
    // order of their digits.)
    let map = files.enumerated().map { "\"\($0)\":[\(String(decoding: RequestBody.text($1.path), as: UTF8.self))]" }
    appendPart(data: Data("{\(map.joined(separator: ","))}".utf8), name: "map")
    for (index, uploaded) in files.enumerated() { append(uploaded.file, name: String(index)) }
  }

  /// Adds a part of text.
  ///
  /// - Parameters:
  ///   - string: The contents.
  ///   - name: The name of the part.
  /// - Throws: Nothing. It is marked as throwing because Apollo iOS declares it so.
  public func appendPart(string: String, name: String) throws { appendPart(data: Data(string.utf8), name: name) }

  /// Adds a part of data.
  ///
  /// - Parameters:
  ///   - data: The contents.
  ///   - name: The name of the part.
  ///   - contentType: The MIME type of the part. nil, the default: none is sent.
  ///   - filename: The file name of the part. nil, the default: none is sent.
  public func appendPart(data: Data, name: String, contentType: String? = nil, filename: String? = nil) {
    append(.data(data), length: UInt64(data.count), name: name, contentType: contentType, filename: filename)
  }

  /// Adds a part that is read from a stream when the form is encoded. The form can then be encoded once.
  ///
  /// - Parameters:
  ///   - inputStream: The contents.
  ///   - contentLength: The size of the contents in bytes.
  ///   - name: The name of the part.
  ///   - contentType: The MIME type of the part. nil, the default: none is sent.
  ///   - filename: The file name of the part. nil, the default: none is sent.
  public func appendPart(
    inputStream: InputStream, contentLength: UInt64, name: String, contentType: String? = nil, filename: String? = nil
  ) {
    append(.stream(inputStream), length: contentLength, name: name, contentType: contentType, filename: filename)
  }

  func append(_ file: GraphQLFile, name: String) {
    let contents = file.data.map(Contents.data) ?? file.fileURL.map(Contents.file) ?? .data(Data())
    append(contents, length: file.contentLength, name: name, contentType: file.mimeType, filename: file.originalName)
  }

  private func append(
    _ contents: Contents, length: UInt64, name: String, contentType: String?, filename: String?
  ) {
    var head = "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(Self.escape(name))\""
    if let filename { head += "; filename=\"\(Self.escape(filename))\"" }
    if let contentType {
      head += "\r\nContent-Type: \(contentType.filter { $0 != "\r" && $0 != "\n" && $0 != "\r\n" })"
    }
    parts.append(Part(head: Data((head + "\r\n\r\n").utf8), contents: contents, length: length))
  }

  /// Escapes a name as browsers do in forms (WHATWG HTML, section 4.10.22.8).
  private static func escape(_ name: String) -> String {
    var escaped = ""
    for scalar in name.unicodeScalars {
      switch scalar {
      case "\"": escaped += "%22"
      case "\r": escaped += "%0D"
      case "\n": escaped += "%0A"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  private var end: Data { Data("--\(boundary)--".utf8) }

  /// The size of the whole body in bytes.
  var contentLength: UInt64 {
    parts.reduce(UInt64(end.count)) { $0 + UInt64($1.head.count) + $1.length + 2 }
  }

  /// Encodes the whole body in memory.
  ///
  /// - Returns: The bytes of the body.
  /// - Throws: ``GraphQLFile/GraphQLFileError`` if a part cannot be read.
  public func encode() throws -> Data {
    var body = Data()
    body.reserveCapacity(Int(clamping: contentLength))
    try write { body.append($0) }
    return body
  }

  /// The size in bytes above which a body is sent from a file.
  static let maximumSizeInMemory: UInt64 = 1 << 20

  /// Makes the form the body of a request.
  ///
  /// - Returns: The file with the body, if the body is too large for memory; otherwise nil.
  func attach(to request: inout URLRequest) throws -> TemporaryFile? {
    guard contentLength > Self.maximumSizeInMemory else {
      request.httpBody = try encode()
      return nil
    }
    let file = TemporaryFile()
    let length = try write(toNewFile: file.url)
    request.setValue(String(length), forHTTPHeaderField: "Content-Length")
    return file
  }

  /// Writes the body into a new file, piece by piece.
  ///
  /// - Returns: Its size in bytes, which differs from ``contentLength`` if a part has changed in the meantime.
  @discardableResult
  func write(toNewFile file: URL) throws -> UInt64 {
    let handle = try PrivateFile.handle(writingToNew: file)
    defer { try? handle.close() }
    var length: UInt64 = 0
    try write { piece in
      try handle.write(contentsOf: piece)
      length += UInt64(piece.count)
    }
    return length
  }

  private func write(_ write: (Data) throws -> Void) throws {
    for part in parts {
      try write(part.head)
      switch part.contents {
      case .data(let data): try write(data)
      case .stream(let stream): try Self.copy(stream, orThrow: .couldNotCreateInputStream, write)
      case .file(let url): try Self.copy(url, write)
      }
      try write(Data("\r\n".utf8))
    }
    try write(end)
  }

  private static func copy(_ file: URL, _ write: (Data) throws -> Void) throws {
    let failure = GraphQLFile.GraphQLFileError.couldNotReadFile(fileURL: file)
    guard let stream = InputStream(url: file) else { throw failure }
    try copy(stream, orThrow: failure, write)
  }

  private static func copy(
    _ stream: InputStream, orThrow failure: GraphQLFile.GraphQLFileError, _ write: (Data) throws -> Void
  ) throws {
    stream.open()
    defer { stream.close() }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = stream.read(&buffer, maxLength: buffer.count)
      guard count >= 0 else { throw failure }
      if count == 0 { return }
      try write(Data(buffer[..<count]))
    }
  }
}

/// A temporary file. It is removed when the last reference to it is gone.
final class TemporaryFile: Sendable {
  private static let folder = FileManager.default.temporaryDirectory, prefix = "apollo-upload-"
  /// For how many seconds a file stays that a process has left which was stopped: longer than a request takes.
  private static let lifetime: Int64 = 7 * 86_400
  /// The name has the time in it, and a part that cannot be guessed.
  let url = TemporaryFile.folder.appendingPathComponent(
    "\(TemporaryFile.prefix)\(wholeSeconds(Date().timeIntervalSince1970))-\(UUID().uuidString)")

  init() { _ = Self.hasRemovedOld }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// Once in a process.
  private static let hasRemovedOld: Bool = {
    removeOld(in: folder, at: Date())
    return true
  }()

  static func removeOld(in folder: URL, at date: Date) {
    let oldest = wholeSeconds(date.timeIntervalSince1970) - lifetime
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] {
      guard name.hasPrefix(prefix), let time = Int64(name.dropFirst(prefix.count).prefix { $0 != "-" }) else {
        continue
      }
      if time < oldest { try? FileManager.default.removeItem(at: folder.appendingPathComponent(name)) }
    }
  }
}

extension MultipartFormData: Hashable {
  /// Whether two forms have equal parts in one order, and one boundary. A part that is read from a stream is equal only to
  /// one of the same stream.
  public static func == (lhs: MultipartFormData, rhs: MultipartFormData) -> Bool {
    lhs.boundary == rhs.boundary && lhs.parts == rhs.parts
  }

  /// Feeds the boundary and the heads of the parts into a hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(boundary)
    for part in parts { hasher.combine(part.head) }
  }
}
