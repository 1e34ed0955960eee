import Foundation
import GraphQLSyntax

/// Writes generated files. A file that would not change is not written, so that builds see only what changed. A file
/// that no generator wrote is not replaced.
struct FileWriter {
  /// The folder of the configuration, in which the list of ``WrittenFiles`` is.
  let root: String
  /// Whether files that no generator wrote are replaced as well.
  var replacesForeignFiles = false

  /// The files that differ from the disk.
  ///
  /// - Throws: An error for each file whose place another file has that no generator wrote.
  func changed(_ files: [OutputFile]) throws(DiagnosticsError) -> [OutputFile] {
    let written = WrittenFiles(root: root)
    var changed: [OutputFile] = []
    var foreign: [Diagnostic] = []
    for file in files {
      let existing = FileManager.default.contents(atPath: file.path)
      if existing == file.data { continue }
      changed.append(file)
      guard !replacesForeignFiles, !Self.isFolder(file.path), Self.exists(file.path) else { continue }
      // (What cannot be read may be anything.)
      if let existing, file.kind.recognizes(existing, at: file.path) || written.contains(file.path) { continue }
      foreign.append(
        Diagnostic(
          .foreignFile, "\"\(file.path)\" would be replaced, and is not known to be the work of a generator.",
          at: .none,
          help: "No file was changed. Move the file away, write to another place, or replace it with --force."))
    }
    guard foreign.isEmpty else { throw DiagnosticsError(foreign) }
    return changed
  }

  /// Writes all files, or none if one of them cannot be written.
  ///
  /// - Returns: The paths of the files that did not exist or had other contents.
  func write(_ files: [OutputFile]) throws(DiagnosticsError) -> [String] {
    let changed = try changed(files)
    var all = changed
    if let list = WrittenFiles(root: root).adding(files) { all += try self.changed([list]) }
    var staged: [StagedFile] = []
    var createdFolders: [String] = []
    var current = ""
    for folder in Set(all.map(\.folder)) { StagedFile.removeAbandoned(in: folder) }
    do {
      for file in all {
        current = file.path
        try Self.create(Glob.components(file.folder), noting: &createdFolders)
        guard !Self.isFolder(file.path) else { throw CocoaError(.fileWriteFileExists) }
        staged.append(try StagedFile(file.data, for: file.path))
      }
      for file in staged {
        current = file.target
        try file.commit()
      }
    } catch {
      for file in staged { file.discard() }
      // Those that are empty.
      for folder in createdFolders.reversed() { rmdir(folder) }
      throw DiagnosticsError([
        Diagnostic(
          .unwritableFile, "\"\(current)\" cannot be written: \(error.localizedDescription)", at: .none,
          help: "No file was changed. Check that its folder is one, and that you may write to it.")
      ])
    }
    return changed.map(\.path)
  }

  /// Removes files, and folders that are then empty.
  ///
  /// - Parameters:
  ///   - files: The files.
  ///   - outputFolder: The folder of the output that a file is in. It stays, and so do the folders around it.
  /// - Returns: The files that were removed.
  func remove(_ files: [String], outputFolder: (String) -> String) -> [String] {
    let removed = files.filter { unlink($0) == 0 }
    for file in removed {
      let end = outputFolder(file)
      var folder = OutputLayout.folder(of: file)
      // A folder that is not empty stays.
      while folder.hasPrefix(end + "/"), rmdir(folder) == 0 { folder = OutputLayout.folder(of: folder) }
    }
    return removed
  }

  // MARK: - Disk

  /// Whether there is something at a path, a link that leads nowhere included.
  private static func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  private static func isFolder(_ path: String) -> Bool {
    var isDirectory: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && isDirectory.boolValue
  }

  /// Creates a folder and those around it, from the outermost one that is missing.
  private static func create(_ components: some Sequence<String>, noting created: inout [String]) throws {
    var path = ""
    for component in components {
      path += "/" + component
      guard !isFolder(path) else { continue }
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      created.append(path)
    }
  }
}

/// A file with new contents beside the one that it will replace.
private struct StagedFile {
  let target: String
  private let path: String

  /// Writes the contents without waiting for the disk, as `Data.write(to:)` does on some systems. If the system crashes
  /// and the contents are lost, the next run sees the difference and writes the file again.
  ///
  /// While it is staged, only its owner may read it. It gets the permissions of the file in its place, or those that a
  /// new file has. Its name is not used again, so that another run does not write to it.
  init(_ data: Data, for target: String) throws {
    self.target = target
    let process = ProcessInfo.processInfo.processIdentifier, number = String(UInt64.random(in: 0...(.max)), radix: 16)
    path = "\(OutputLayout.folder(of: target))/\(Self.prefix)\(process)-\(number)"
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o666)
    guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do {
      var existing = stat(), new = stat()
      guard fstat(descriptor, &new) == 0, fchmod(descriptor, 0o600) == 0 else { throw CocoaError(.fileWriteUnknown) }
      let isReplaced = lstat(target, &existing) == 0 && existing.st_mode & S_IFMT == S_IFREG
      try file.write(contentsOf: data)
      guard fchmod(descriptor, (isReplaced ? existing : new).st_mode & 0o777) == 0 else {
        throw CocoaError(.fileWriteUnknown)
      }
      try file.close()
    } catch {
      unlink(path)
      throw error
    }
  }

  /// Removes the files that other runs staged in a folder, and left there because their processes were stopped.
  static func removeAbandoned(in folder: String) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
      guard let process = process(ofFile: name), process > 0, kill(process, 0) != 0, errno == ESRCH else { continue }
      unlink(folder + "/" + name)
    }
  }

  /// The process that staged a file; nil if the name is not that of a staged file.
  private static func process(ofFile name: String) -> Int32? {
    guard name.hasPrefix(".") else { return nil }
    // Earlier releases named such files after their targets: `.Hero.graphql.swift.123`.
    let parts = name.components(separatedBy: ".graphql.swift.")
    if parts.count == 2 { return Int32(parts[1]) }
    guard name.hasPrefix(prefix) else { return nil }
    let numbers = name.dropFirst(prefix.count).split(separator: "-")
    return numbers.count == 2 && numbers[1].allSatisfy(\.isHexDigit) ? Int32(numbers[0]) : nil
  }

  private static let prefix = ".apollo-codegen-"

  /// Puts the file in its place.
  func commit() throws {
    guard rename(path, target) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  }

  /// Removes the file if it was not put in its place.
  func discard() { unlink(path) }
}
