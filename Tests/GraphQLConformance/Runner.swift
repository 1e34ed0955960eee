public import Foundation

/// Runs the recorded cases of the reference implementation, and counts the results.
public struct ConformanceRunner {
  /// The results of the cases of one kind in one folder.
  public struct Summary: Sendable {
    /// The name of the folder.
    public let corpus: String
    /// The kind of case, such as `validate`.
    public let kind: String
    /// The number of cases that passed.
    public internal(set) var passed = 0
    /// The number of cases.
    public internal(set) var total = 0
    /// The number of lines that are not Unicode or not JSON, and so are not cases.
    public internal(set) var unreadable = 0
    /// The cases that failed.
    public internal(set) var failures: [Case] = []
    /// The cases that passed with messages in other words than those of the reference implementation.
    public internal(set) var reworded: [Case] = []
  }

  /// A case with something to report.
  public struct Case: Sendable {
    /// The name of the case in the list of known failures.
    public let name: String
    /// What differs.
    public let details: String
  }

  /// The error for a folder without recordings.
  public struct NoRecordings: Error, CustomStringConvertible {
    let folder: URL

    /// The error in English sentences.
    public var description: String {
      "\(folder.path) holds no recordings. It should have files such as validate.jsonl, or folders of such files."
    }
  }

  private let corpora: [Corpus]

  /// Makes a runner.
  ///
  /// - Parameter folders: Folders with recordings of one release of the reference implementation each, or folders of
  ///   such folders.
  /// - Throws: ``NoRecordings``, or an error of the file system.
  public init(folders: [URL]) throws {
    corpora = try folders.flatMap { folder in
      let corpora = [folder] + Self.subfolders(of: folder)
      let found = corpora.filter { !Self.recordedKinds(in: $0).isEmpty }
      if found.isEmpty { throw NoRecordings(folder: folder) }
      return try found.map { try Corpus(folder: $0) }
    }
  }

  private static func subfolders(of folder: URL) -> [URL] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.sorted().map { folder.appendingPathComponent($0) }
  }

  private static func recordedKinds(in folder: URL) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".jsonl") }.map { String($0.dropLast(6)) }
  }

  /// The kinds of cases that are recorded but that this runner cannot check.
  public var kindsWithoutCheck: [String] {
    let kinds = Set(corpora.flatMap { Self.recordedKinds(in: $0.folder) })
    return kinds.subtracting(Kind.all.map(\.name)).sorted()
  }

  /// Runs the cases of some kinds. By default, all cases.
  public func run(kinds: Set<String> = []) async throws -> [Summary] {
    var summaries: [Summary] = []
    for corpus in corpora {
      for kind in Kind.all where kinds.isEmpty || kinds.contains(kind.name) {
        if let summary = try await run(kind, corpus) { summaries.append(summary) }
      }
    }
    return summaries
  }

  private func run(_ kind: Kind, _ corpus: Corpus) async throws -> Summary? {
    guard let (records, unreadable) = try corpus.records(kind.name) else { return nil }
    var summary = Summary(corpus: corpus.name, kind: kind.name)
    summary.unreadable = unreadable
    var occurrences: [String: Int] = [:]
    for record in records {
      summary.total += 1
      let occurrence = occurrences[record.name, default: 0] + 1
      occurrences[record.name] = occurrence
      let name = "\(corpus.name)/\(kind.name)/\(record.name)#\(occurrence)"
      switch await kind.check(record, corpus) {
      case .passed: summary.passed += 1
      case .reworded(let details):
        summary.passed += 1
        summary.reworded.append(Case(name: name, details: details))
      case .failed(let details): summary.failures.append(Case(name: name, details: details))
      }
    }
    return summary
  }
}
