public import Foundation

// How Swift scripts for Apollo iOS 0.x name folders and files.

/// Finds the folder of a script.
public enum FileFinder {
  /// The folder of a source file.
  ///
  /// - Parameter filePath: The path of the file. By default that of the file which calls this.
  /// - Returns: The folder.
  public static func findParentFolder(from filePath: StaticString = #filePath) -> URL {
    findParentFolder(from: "\(filePath)")
  }

  /// The folder of a file.
  ///
  /// - Parameter filePath: The path of the file.
  /// - Returns: The folder.
  public static func findParentFolder(from filePath: String) -> URL {
    URL(fileURLWithPath: filePath).deletingLastPathComponent()
  }
}

/// The functions of a type that Apollo iOS 0.x has behind `.apollo`.
public struct ApolloExtension<Base> {
  fileprivate let base: Base
}

extension FileManager {
  /// The functions of Apollo iOS 0.x for folders.
  public var apollo: ApolloExtension<FileManager> { ApolloExtension(base: self) }
}

extension ApolloExtension where Base == FileManager {
  /// Makes a folder, and the folders that it is in, unless it is there.
  ///
  /// - Parameter url: The folder.
  /// - Throws: The error of the file system.
  public func createFolderIfNeeded(at url: URL) throws {
    try base.createDirectory(at: url, withIntermediateDirectories: true)
  }

  /// Makes the folder of a file, unless it is there.
  ///
  /// - Parameter url: The file.
  /// - Throws: The error of the file system.
  public func createContainingFolderIfNeeded(for url: URL) throws {
    try createFolderIfNeeded(at: url.deletingLastPathComponent())
  }
}

extension URL {
  /// The functions of Apollo iOS 0.x for paths.
  public var apollo: ApolloExtension<URL> { ApolloExtension(base: self) }
}

extension ApolloExtension where Base == URL {
  /// The folder that the file or the folder is in.
  public func parentFolderURL() -> URL { base.deletingLastPathComponent() }

  /// A folder in this one.
  ///
  /// - Parameter folderName: The name of the folder.
  /// - Returns: The folder.
  public func childFolderURL(folderName: String) -> URL {
    base.appendingPathComponent(folderName, isDirectory: true)
  }
}
