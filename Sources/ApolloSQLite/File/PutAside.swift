import Apollo
import ApolloAPI
import Foundation

/// Renames a file that cannot be used. An app, or its author, may look at what was in it, until the file is too old, or
/// everything of the user has to go.
enum PutAside {
  static let companions = ["-wal", "-shm", "-journal"]

  /// - Parameters:
  ///   - file: The file. The files that SQLite keeps beside it are renamed with it.
  ///   - reason: A word for the new name, one of ``FileProblem/words``.
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
    // Before, so that there is no moment at which the file has its new name and can be read, or is in a backup.
    for suffix in [""] + companions {
      PrivateFile.protect(file.path + suffix)
      FileAttributes.leaveOutOfBackups(file.path + suffix)
    }
    // The file goes first. What stays if the process ends here belongs to no file. SQLite removes it beside a file that is
    // made there, which is empty. It would use it beside another one: see ``removeCompanions(of:)``.
    try manager.moveItem(at: file, to: place)
    for companion in companions where manager.fileExists(atPath: file.path + companion) {
      try manager.moveItem(atPath: file.path + companion, toPath: place.path + companion)
    }
    return place
  }

  /// Removes what a file has left that was renamed or removed, before one that is not empty takes its place: SQLite would
  /// take the log for that of the new file, and write it over what the new file has.
  ///
  /// - Parameter file: The place of the file, at which there is none.
  /// - Throws: What removing throws.
  static func removeCompanions(of file: URL) throws {
    for companion in companions where FileManager.default.fileExists(atPath: file.path + companion) {
      try FileManager.default.removeItem(atPath: file.path + companion)
    }
  }

  /// A file that was put aside.
  struct Place {
    let url: URL
    fileprivate let reason: String
    /// When it was put aside, in seconds since 1970.
    let seconds: Int64

    /// Whether another program has made it. (Earlier releases call some caches of Apollo iOS so.)
    var isForeign: Bool {
      guard reason == "foreign", !PutAside.companions.contains(where: url.path.hasSuffix) else { return false }
      let known = [Schema.kind.applicationID, OutboxSchema.kind.applicationID]
      return !known.contains { FileHeader.hasMark($0, url) } && !FileHeader.isOfApolloIOS(url)
    }
  }

  /// The files that were put aside in the place of a file, with those that SQLite keeps beside them. A folder that stood at
  /// the place is not among them: what is in it is the app's affair.
  static func files(of file: URL) -> [Place] {
    let folder = file.deletingLastPathComponent(), prefix = file.lastPathComponent + "."
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.sorted().compactMap { name in
      guard name.hasPrefix(prefix) else { return nil }
      var rest = name.dropFirst(prefix.count)
      if let companion = companions.first(where: rest.hasSuffix) { rest = rest.dropLast(companion.count) }
      guard let reason = FileProblem.words.first(where: { rest.hasPrefix($0 + "-") }) else { return nil }
      let numbers = rest.dropFirst(reason.count + 1).split(separator: "-", omittingEmptySubsequences: false)
      guard (1...2).contains(numbers.count), numbers.allSatisfy({ Int64($0) != nil }) else { return nil }
      let url = folder.appendingPathComponent(name)
      guard !PrivateFile.isFolder(url.path) else { return nil }
      return Place(url: url, reason: reason, seconds: Int64(numbers[0]) ?? 0)
    }
  }

  /// Removes files that were put aside.
  ///
  /// - Parameters:
  ///   - file: The file in whose place they stood.
  ///   - date: Only those are removed that were put aside before. nil, the default: all.
  ///   - takesForeign: Whether those go as well that another program has made. The default is false.
  /// - Throws: What removing the first of them throws that cannot be removed. All others are gone.
  static func remove(of file: URL, before date: Date? = nil, takesForeign: Bool = false) throws {
    let limit = date.map { wholeSeconds($0.timeIntervalSince1970) } ?? .max
    var failure: (any Error)?
    let places = files(of: file), foreign = takesForeign ? [] : places.filter(\.isForeign)
    for place in places where place.seconds < limit {
      if foreign.contains(where: { main in ([""] + companions).contains { place.url.path == main.url.path + $0 } }) {
        continue
      }
      do { try FileManager.default.removeItem(at: place.url) } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }

  /// Removes files that were put aside longer than some days ago.
  static func removeOld(of file: URL, days: Int) {
    try? remove(of: file, before: Date(timeIntervalSinceNow: -86_400 * Double(max(0, days))))
  }
}
