public import Foundation

// How Swift scripts for Apollo iOS 0.x name folders and files, and say what they do.

/// Prints what a script does, as that of Apollo iOS does.
public enum CodegenLogger {
  /// How important a line is.
  public enum LogLevel: Int, Sendable {
    case error, warning, debug
  }

  /// The level.
  // Sendable: it is read and written under the lock alone. (The `Mutex` of Swift needs newer Apple releases than this package
  // supports.)
  private final class Stored: @unchecked Sendable {
    private let lock = NSLock()
    private var current = LogLevel.debug

    var value: LogLevel {
      get { lock.withLock { current } }
      set { lock.withLock { current = newValue } }
    }
  }

  private static let stored = Stored()

  /// The last level whose lines are printed. By default all are.
  public static var level: LogLevel {
    get { stored.value }
    set { stored.value = newValue }
  }

  /// Prints a line.
  ///
  /// - Parameters:
  ///   - logString: The text, which is made only if the line is printed.
  ///   - logLevel: How important the line is. The default is `debug`.
  ///   - file: The file that the line names. By default that of the caller.
  ///   - line: The line in that file.
  public static func log(
    _ logString: @autoclosure () -> String, logLevel: LogLevel = .debug, file: StaticString = #fileID,
    line: UInt = #line
  ) {
    guard logLevel.rawValue <= level.rawValue else { return }
    let name = "\(file)".lastPathComponent
    print("[\(logLevel) - \(name):\(line)] - \(logString())")
  }
}

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
