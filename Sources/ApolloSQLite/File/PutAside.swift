import ApolloAPI
import Foundation

/// Renames a file that cannot be used. Nothing is ever deleted: an app, or its author, may look at what was in it.
enum PutAside {
  static let companions = ["-wal", "-shm", "-journal"]

  /// - Parameters:
  ///   - file: The file. The files that SQLite keeps beside it are renamed with it.
  ///   - reason: A word for the new name.
  ///   - date: The time for the new name.
  /// - Returns: The new place.
  /// - Throws: What renaming throws.
  static func move(_ file: URL, reason: String, date: Date = Date()) throws -> URL {
    let manager = FileManager.default
    let seconds = wholeSeconds(max(0, min(date.timeIntervalSince1970, 1e12)))
    var place = URL(fileURLWithPath: "\(file.path).\(reason)-\(seconds)"), number = 1
    while manager.fileExists(atPath: place.path) {
      number += 1
      place = URL(fileURLWithPath: "\(file.path).\(reason)-\(seconds)-\(number)")
    }
    // The file goes first. What stays if the process ends here belongs to no file, and SQLite does not use it.
    try manager.moveItem(at: file, to: place)
    for companion in companions where manager.fileExists(atPath: file.path + companion) {
      try manager.moveItem(atPath: file.path + companion, toPath: place.path + companion)
    }
    return place
  }
}
