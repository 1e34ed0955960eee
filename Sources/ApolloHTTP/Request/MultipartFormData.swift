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
  /// - Parameters:
  ///   - request: The request.
  ///   - file: Where the body is written if it is too large for memory.
  /// - Returns: Whether the body is in the file.
  /// - Throws: ``GraphQLFile/GraphQLFileError`` if a part cannot be read; the error of the system if the file cannot be
  ///   written.
  func attach(to request: inout URLRequest, in file: TemporaryFile) throws -> Bool {
    guard contentLength > Self.maximumSizeInMemory else {
      request.httpBody = try encode()
      return false
    }
    let length = try write(to: file)
    request.setValue(String(length), forHTTPHeaderField: "Content-Length")
    return true
  }

  /// Writes the body into a file, piece by piece.
  ///
  /// - Returns: Its size in bytes, which differs from ``contentLength`` if a part has changed in the meantime.
  private func write(to file: TemporaryFile) throws -> UInt64 {
    let handle = try file.make()
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

/// A temporary file for the body of a request that is too large for memory.
///
/// What it has of a user is not encrypted, whatever the app does with its other files. So it is gone as soon as it is not
/// needed. What a stopped process has left is gone when the next one makes such a file, or when a user signs out.
package struct TemporaryFile: Sendable {
  private static let folder = FileManager.default.temporaryDirectory, prefix = "apollo-upload-"
  private static let process = ProcessInfo.processInfo.processIdentifier
  /// The namespace of the number. Containers of Linux that share a folder may have processes with one number. nil on other
  /// systems, where no two processes have one number at a time.
  private static let numberSpace: Substring? = {
    // It reads `pid:[4026531836]`.
    let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/ns/pid")
    return link?.split { !$0.isNumber }.last
  }()
  /// For how many seconds a file stays whose process is not known to have ended: longer than a request takes.
  private static let lifetime: Int64 = 7 * 86_400
  /// The files of this process that are in use, by their names, and whether each was made.
  private static let used = Locked<[String: Bool]>([:])

  /// The name has the time and the process in it, and a part that cannot be guessed.
  private let name: String = {
    let time = wholeSeconds(Date().timeIntervalSince1970), space = TemporaryFile.numberSpace.map { ".\($0)" } ?? ""
    return "\(TemporaryFile.prefix)\(time)-p\(TemporaryFile.process)\(space)-\(UUID())"
  }()

  private init() { Self.used.withLock { [name] in $0[name] = false } }

  /// The place of the file.
  var url: URL { Self.folder.appendingPathComponent(name) }

  /// Runs a body that may make a file. The file is removed behind it, and at once if the task is cancelled.
  ///
  /// So a caller that cancels an upload, as a sign-out does, need not wait for its end. A session that reads the file at
  /// that moment has it open, and goes on reading it until the request is cancelled there as well.
  ///
  /// - Parameter body: Called once.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws.
  static func with<Value: Sendable>(
    _ body: @Sendable (TemporaryFile) async throws -> Value
  ) async throws -> Value {
    let file = TemporaryFile()
    defer { file.remove() }
    return try await withTaskCancellationHandler {
      try await body(file)
    } onCancel: {
      file.remove()
    }
  }

  /// Makes the file.
  ///
  /// - Returns: A handle that writes to it.
  /// - Throws: `CancellationError` if it was removed, and `POSIXError`.
  func make() throws -> FileHandle {
    _ = Self.hasRemovedAbandoned
    return try Self.used.withLock { used in
      guard used[name] != nil else { throw CancellationError() }
      let handle = try PrivateFile.handle(writingToNew: url)
      used[name] = true
      return handle
    }
  }

  /// Removes the file. It cannot be made after that.
  func remove() {
    let isMade = Self.used.withLock { $0.removeValue(forKey: name) }
    if isMade == true { unlink(url.path) }
  }

  // MARK: Files of processes that have ended

  /// Once in a process.
  private static let hasRemovedAbandoned: Bool = {
    try? removeAbandoned()
    return true
  }()

  /// Removes the files of processes that have ended.
  ///
  /// - Throws: Why the first of them cannot be removed. All others are gone. Those of another account stay, which is not
  ///   an error.
  package static func removeAbandoned() throws { try removeAbandoned(in: folder, at: Date()) }

  static func removeAbandoned(in folder: URL, at date: Date) throws {
    let oldest = wholeSeconds(date.timeIntervalSince1970) - lifetime
    var failure: POSIXError?
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    where isAbandoned(name, ifBefore: oldest) {
      guard unlink(folder.appendingPathComponent(name).path) != 0 else { continue }
      let code = errno
      if ![ENOENT, EPERM, EACCES].contains(code) {
        failure = failure ?? POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO)
      }
    }
    if let failure { throw failure }
  }

  private static func isAbandoned(_ name: String, ifBefore oldest: Int64) -> Bool {
    guard name.hasPrefix(prefix), used.withLock({ $0[name] }) == nil else { return false }
    let parts = name.dropFirst(prefix.count).split(separator: "-")
    guard let time = parts.first.flatMap({ Int64($0) }) else { return false }
    if time < oldest { return true }
    // Earlier releases do not name the process.
    guard parts.count > 1, parts[1].first == "p" else { return false }
    let numbers = parts[1].dropFirst().split(separator: ".")
    guard let process = numbers.first.flatMap({ Int32($0) }) else { return false }
    // Nothing is known of a process of another container.
    if numbers.count > 1, numbers[1] != numberSpace { return false }
    // A process that had the number of this one before has ended as well.
    return process == Self.process || process > 0 && kill(process, 0) != 0 && errno == ESRCH
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
