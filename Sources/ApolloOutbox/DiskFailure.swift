import ApolloTransport
import Foundation

extension Error {
  /// Whether a request could not be made because of the files of the device, which passes: the disk is full, or a file
  /// that is there cannot be read, as while the device is locked.
  var isOfDisk: Bool {
    if case .couldNotReadFile(let file)? = self as? GraphQLFile.GraphQLFileError {
      return FileManager.default.fileExists(atPath: file.path)
    }
    let error = self as NSError
    let isOfSystem = error.domain == NSPOSIXErrorDomain
    let cause = isOfSystem ? error : (error.userInfo[NSUnderlyingErrorKey] as? any Error).map { $0 as NSError }
    guard let cause, cause.domain == NSPOSIXErrorDomain else { return false }
    let codes: [POSIXErrorCode] = [.ENOSPC, .EDQUOT, .EACCES, .EPERM, .EIO, .EMFILE, .ENFILE]
    return codes.contains { cause.code == Int($0.rawValue) }
  }
}
