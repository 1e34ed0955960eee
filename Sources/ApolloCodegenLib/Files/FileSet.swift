import Foundation

/// Files on disk. One file may have several paths: a folder may be a symbolic link, and a disk may not distinguish the
/// cases of letters.
struct FileSet {
  private let followsLinks: Bool
  private var paths: Set<[UInt8]> = []
  private var identities: Set<Identity> = []

  /// Makes a set of the files at some paths.
  ///
  /// - Parameters:
  ///   - paths: The paths. There need not be files.
  ///   - followsLinks: Whether a link is the file that it leads to. The default is true. Links among the folders of a
  ///     path are always followed.
  init(_ paths: [String] = [], followsLinks: Bool = true) {
    self.followsLinks = followsLinks
    for path in paths { insert(path) }
  }

  /// Adds a file. Returns whether it was not there, under no path.
  @discardableResult
  mutating func insert(_ path: String) -> Bool {
    let isNew = paths.insert(Array(path.utf8)).inserted
    guard let identity = Identity(path, followsLinks: followsLinks) else { return isNew }
    return identities.insert(identity).inserted && isNew
  }

  /// Whether a file is there, under any path.
  func contains(_ path: String) -> Bool {
    paths.contains(Array(path.utf8)) || Identity(path, followsLinks: followsLinks).map(identities.contains) ?? false
  }

  /// What distinguishes files on disk, whatever their paths are.
  private struct Identity: Hashable {
    let device: Int64, number: UInt64

    /// nil if there is no such file.
    init?(_ path: String, followsLinks: Bool) {
      var status = stat()
      guard (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
      // (Some disks number no files.)
      guard status.st_ino != 0 else { return nil }
      (device, number) = (Int64(truncatingIfNeeded: status.st_dev), UInt64(truncatingIfNeeded: status.st_ino))
    }
  }
}
