import Apollo
import Foundation

// What a cache or an outbox on disk needs besides a new file.

extension PrivateFile {
  /// Makes an empty file.
  ///
  /// - Parameter path: The file.
  /// - Returns: False if something is at that place, a link among others. It stays as it is.
  /// - Throws: `POSIXError`, such as for a folder that may not be written to.
  static func make(at path: String) throws -> Bool {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      if errno == EEXIST { return false }
      throw failure
    }
    close(descriptor)
    return true
  }

  /// Makes a file with contents.
  ///
  /// - Parameters:
  ///   - data: The contents.
  ///   - file: The file.
  /// - Throws: `POSIXError`, also if something is at that place; and what writing throws.
  static func write(_ data: Data, to file: URL) throws {
    let handle = try handle(writingToNew: file)
    defer { try? handle.close() }
    try handle.write(contentsOf: data)
  }

  /// Makes a copy of a file, which may become longer or shorter meanwhile: the copy has what was read.
  ///
  /// On Apple's systems Foundation makes it, and the two files share their bytes where the disk can do that. On Linux,
  /// Foundation's copying never ends if the file becomes shorter: it waits for as many bytes as there were at the beginning.
  ///
  /// - Parameters:
  ///   - source: The file, or a link to it.
  ///   - target: The copy.
  /// - Throws: `POSIXError`, also if something is at the place of the copy; and what reading and writing throw.
  static func copy(_ source: URL, to target: URL) throws {
    #if canImport(Darwin)
      try FileManager.default.copyItem(at: source.resolvingSymlinksInPath(), to: target)
      protect(target.path)
    #else
      let reader = try FileHandle(forReadingFrom: source), writer = try handle(writingToNew: target)
      defer {
        try? reader.close()
        try? writer.close()
      }
      while let piece = try reader.read(upToCount: 1 << 18), !piece.isEmpty { try writer.write(contentsOf: piece) }
    #endif
  }

  /// Makes a folder, and those around it that are missing.
  ///
  /// - Parameter path: The folder, which may be there.
  /// - Throws: `POSIXError`.
  static func makeFolder(at path: String) throws {
    if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    let failure = failure, parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
    guard failure.code == .ENOENT, parent != path else { throw failure }
    try makeFolder(at: parent)
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw Self.failure }
  }

  /// Takes the permissions away that others have for a file or a folder of this user.
  ///
  /// Links stay as they are, and so do folders like that for temporary files, in which all users have files.
  ///
  /// - Parameter path: The file or the folder, which need not exist.
  static func protect(_ path: String) {
    // Not by a descriptor: closing one ends the locks that the process has on the file.
    guard let file = attributes(of: path), number(file[.ownerAccountID]) == UInt(geteuid()),
      let mode = number(file[.posixPermissions]), mode & 0o077 != 0
    else { return }
    let kind = file[.type] as? FileAttributeType, isForAll = mode & 0o1000 != 0
    guard kind == .typeRegular || kind == .typeDirectory && !isForAll else { return }
    chmod(path, mode_t(mode & 0o700))
  }

  /// Whether a file, or a link at its place, belongs to another user, who can read what is written to it.
  ///
  /// - Parameter path: The file, which need not exist.
  /// - Returns: Whether it does. What belongs to the root counts as this user's, and nothing is another's for the root.
  static func belongsToOther(_ path: String) -> Bool {
    guard geteuid() != 0, let owner = number(attributes(of: path)?[.ownerAccountID]) else { return false }
    return owner != UInt(geteuid()) && owner != 0
  }

  /// Whether a link is at a place.
  static func isLink(_ path: String) -> Bool { kind(of: path) == .typeSymbolicLink }

  /// Whether a folder, and no link to one, is at a place.
  static func isFolder(_ path: String) -> Bool { kind(of: path) == .typeDirectory }

  private static func kind(of path: String) -> FileAttributeType? { attributes(of: path)?[.type] as? FileAttributeType }

  /// A number is of one type on Apple's systems, and of another one elsewhere.
  private static func number(_ value: Any?) -> UInt? { value as? UInt ?? (value as? NSNumber)?.uintValue }

  /// What is known of a file, or of the link at its place.
  private static func attributes(of path: String) -> [FileAttributeKey: Any]? {
    try? FileManager.default.attributesOfItem(atPath: path)
  }

  private static var failure: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
