public import Foundation

/// A file that is sent with an operation (GraphQL multipart request specification).
public struct GraphQLFile: Hashable, Sendable {
  /// Why a file cannot be sent.
  public enum GraphQLFileError: ApolloError, Hashable {
    /// The file cannot be opened for reading.
    case couldNotCreateInputStream
    /// There is no readable file at this address.
    case couldNotGetFileSize(fileURL: URL)
    /// The file existed when it was named, but cannot be read when it is to be sent.
    case couldNotReadFile(fileURL: URL)

    /// The kind of this error: ``ApolloErrorCode/invalidRequest``.
    public var code: ApolloErrorCode { .invalidRequest }

    /// One sentence that says what went wrong.
    public var message: String {
      switch self {
      case .couldNotCreateInputStream: "The file cannot be opened for reading."
      case .couldNotGetFileSize(let url): "There is no readable file at \(url.path)."
      case .couldNotReadFile(let url): "The file at \(url.path) is gone, or cannot be read any more."
      }
    }
  }

  /// The MIME type of a file whose type is not known.
  public static let octetStreamMimeType = "application/octet-stream"

  /// The variable whose value is the file. A dotted path such as `input.avatar` names a member of an input object.
  public let fieldName: String
  /// The file name that the server is told.
  public let originalName: String
  /// The MIME type that the server is told. By default ``octetStreamMimeType``.
  public let mimeType: String
  /// The contents; nil if they are in a file on disk.
  public let data: Data?
  /// The file on disk with the contents; nil if they are in memory.
  public let fileURL: URL?
  /// The size of the contents in bytes.
  public let contentLength: UInt64

  /// Makes a file of contents in memory.
  ///
  /// - Parameters:
  ///   - fieldName: The variable whose value is the file, or a dotted path into an input object.
  ///   - originalName: The file name that the server is told.
  ///   - mimeType: The MIME type that the server is told.
  ///   - data: The contents.
  public init(
    fieldName: String, originalName: String, mimeType: String = GraphQLFile.octetStreamMimeType, data: Data
  ) {
    self.fieldName = fieldName
    self.originalName = originalName
    self.mimeType = mimeType
    self.data = data
    fileURL = nil
    contentLength = UInt64(data.count)
  }

  /// Makes a file of a file on disk, which is read when it is sent.
  ///
  /// - Parameters:
  ///   - fieldName: The variable whose value is the file, or a dotted path into an input object.
  ///   - originalName: The file name that the server is told.
  ///   - mimeType: The MIME type that the server is told.
  ///   - fileURL: The file on disk.
  /// - Throws: ``GraphQLFileError/couldNotGetFileSize(fileURL:)`` if there is no such file.
  public init(
    fieldName: String, originalName: String, mimeType: String = GraphQLFile.octetStreamMimeType, fileURL: URL
  ) throws {
    // (The attributes of a symbolic link are its own, and not those of the file.)
    let path = fileURL.resolvingSymlinksInPath().path
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    guard let size = attributes?[.size] as? NSNumber, attributes?[.type] as? FileAttributeType == .typeRegular else {
      throw GraphQLFileError.couldNotGetFileSize(fileURL: fileURL)
    }
    self.fieldName = fieldName
    self.originalName = originalName
    self.mimeType = mimeType
    data = nil
    self.fileURL = fileURL
    contentLength = size.uint64Value
  }

  /// Makes a stream that reads the contents.
  ///
  /// - Throws: ``GraphQLFileError/couldNotReadFile(fileURL:)`` if the file is gone.
  public func generateInputStream() throws -> InputStream {
    if let data { return InputStream(data: data) }
    guard let fileURL else { throw GraphQLFileError.couldNotCreateInputStream }
    guard FileManager.default.isReadableFile(atPath: fileURL.path), let stream = InputStream(url: fileURL) else {
      throw GraphQLFileError.couldNotReadFile(fileURL: fileURL)
    }
    return stream
  }
}
