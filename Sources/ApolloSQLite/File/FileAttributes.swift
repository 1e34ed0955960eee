import Foundation

/// What Apple's systems keep about files: whether they are in backups, and when they can be read.
enum FileAttributes {
  /// Sets the protection of a file and of those beside it, and leaves them out of backups.
  ///
  /// SQLite removes some of these and makes them again, and a file is made with the protection of its folder. So the folder
  /// is protected as well, unless it has other files, whose protection is the app's affair.
  static func set(on file: URL, _ protection: SQLiteNormalizedCache.Configuration.FileProtection) {
    #if canImport(Darwin)
      #if !os(macOS)
        if let folder = ownFolder(of: file) {
          try? FileManager.default.setAttributes([.protectionKey: protection.systemValue], ofItemAtPath: folder.path)
        }
      #endif
      for suffix in [""] + PutAside.companions {
        let part = URL(fileURLWithPath: file.path + suffix)
        guard FileManager.default.fileExists(atPath: part.path) else { continue }
        leaveOutOfBackups(part.path)
        #if !os(macOS)
          try? FileManager.default.setAttributes([.protectionKey: protection.systemValue], ofItemAtPath: part.path)
        #endif
      }
    #endif
  }

  /// Leaves a file out of backups, if it is there.
  static func leaveOutOfBackups(_ path: String) {
    #if canImport(Darwin)
      guard FileManager.default.fileExists(atPath: path) else { return }
      var file = URL(fileURLWithPath: path), values = URLResourceValues()
      values.isExcludedFromBackup = true
      try? file.setResourceValues(values)
    #endif
  }

  /// The folder of a file; nil if it has files that do not belong to this one.
  static func ownFolder(of file: URL) -> URL? {
    let folder = file.deletingLastPathComponent(), name = file.lastPathComponent
    guard let others = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else { return nil }
    return others.allSatisfy { $0 == name || $0.hasPrefix(name + "-") || $0.hasPrefix(name + ".") } ? folder : nil
  }
}

#if canImport(Darwin) && !os(macOS)
  extension SQLiteNormalizedCache.Configuration.FileProtection {
    fileprivate var systemValue: FileProtectionType {
      switch self {
      case .complete: .complete
      case .completeUnlessOpen: .completeUnlessOpen
      case .completeUntilFirstUserAuthentication: .completeUntilFirstUserAuthentication
      case .none: .none
      }
    }
  }
#endif
