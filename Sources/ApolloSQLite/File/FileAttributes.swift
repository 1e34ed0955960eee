import Foundation

/// What Apple's systems keep about files: whether they are in backups, and when they can be read.
enum FileAttributes {
  /// Sets the protection of a file and of those beside it, and leaves them out of backups.
  static func set(on file: URL, _ protection: SQLiteNormalizedCache.Configuration.FileProtection) {
    #if canImport(Darwin)
      for suffix in [""] + PutAside.companions {
        var part = URL(fileURLWithPath: file.path + suffix)
        guard FileManager.default.fileExists(atPath: part.path) else { continue }
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        try? part.setResourceValues(values)
        #if !os(macOS)
          try? FileManager.default.setAttributes([.protectionKey: protection.systemValue], ofItemAtPath: part.path)
        #endif
      }
    #endif
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
