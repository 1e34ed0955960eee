import ApolloTransport
import Foundation

/// Why a request could not be made, as far as the files of the device are the reason, and that may pass.
enum DiskFailure {
  /// There is no room, or the process has too many files open.
  case full
  /// A file that is there cannot be read or written, as while the device is locked. That may last.
  case unreadable

  /// - Parameter error: What making the request has thrown.
  init?(_ error: any Error) {
    if case .couldNotReadFile? = error as? GraphQLFile.GraphQLFileError {
      if Self.isOfLostFile(error) { return nil }
      self = .unreadable
      return
    }
    let error = error as NSError
    let isOfSystem = error.domain == NSPOSIXErrorDomain
    let cause = isOfSystem ? error : (error.userInfo[NSUnderlyingErrorKey] as? any Error).map { $0 as NSError }
    guard let cause, cause.domain == NSPOSIXErrorDomain else { return nil }
    switch Int32(truncatingIfNeeded: cause.code) {
    case ENOSPC, EDQUOT, EMFILE, ENFILE: self = .full
    case EACCES, EPERM, EIO: self = .unreadable
    default: return nil
    }
  }

  /// Whether a file that was to be sent is gone.
  static func isOfLostFile(_ error: any Error) -> Bool {
    guard case .couldNotReadFile(let file)? = error as? GraphQLFile.GraphQLFileError else { return false }
    return !FileManager.default.fileExists(atPath: file.path)
  }
}
