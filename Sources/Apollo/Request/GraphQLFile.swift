public import Foundation

/// A file that is sent with an operation (GraphQL multipart request specification).
public struct GraphQLFile: Hashable, Sendable {
  public enum GraphQLFileError: ApolloError, Hashable {
    case couldNotCreateInputStream
    case couldNotGetFileSize(fileURL: URL)
    /// The file was there when it was named, and cannot be read when it is to be sent.
    case couldNotReadFile(fileURL: URL)

    public var code: ApolloErrorCode { .invalidRequest }

    public var message: String {
      switch self {
      case .couldNotCreateInputStream: "The file cannot be opened for reading."
      case .couldNotGetFileSize(let url): "There is no readable file at \(url.path)."
      case .couldNotReadFile(let url): "The file at \(url.path) is gone, or cannot be read any more."
      }
    }
  }

  public static let octetStreamMimeType = "application/octet-stream"

  /// The variable whose value the file is. A dotted path names a member of an input object: `input.avatar`.
  public let fieldName: String
  /// The name that the server is told.
  public let originalName: String
  public let mimeType: String
  /// The contents; nil if they are in a file.
  public let data: Data?
  /// Where the contents are; nil if they are in memory.
  public let fileURL: URL?
  /// In bytes.
  public let contentLength: UInt64

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

  /// - Throws: ``GraphQLFileError/couldNotGetFileSize(fileURL:)`` if there is no such file.
  public init(
    fieldName: String, originalName: String, mimeType: String = GraphQLFile.octetStreamMimeType, fileURL: URL
  ) throws {
    let attributes = try? FileManager.default.attributesOfItem(atPath: fileURL.path)
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

  /// A stream of the contents.
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
