package import Foundation

/// Files and folders that no other account of the device can read: 0600 and 0700, whatever the umask says.
///
/// A file is made before anything is written to it, and never through a link: what stands at its place already may be
/// another account's.
package enum PrivateFile {
  /// Makes a file, and opens it.
  ///
  /// - Parameter file: The file.
  /// - Returns: A handle that writes to it.
  /// - Throws: `POSIXError`, also if something is at that place.
  package static func handle(writingToNew file: URL) throws -> FileHandle {
    let descriptor = open(file.path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure }
    return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  private static var failure: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
