public import Foundation

/// Runs recorded cases and sums up how they went.
public struct ConformanceRunner {
  /// The cases of one kind of one folder.
  public struct Summary: Sendable {
    public let corpus: String
    public let kind: String
    public internal(set) var passed = 0
    public internal(set) var total = 0
    /// Lines that are not Unicode, or not JSON, and so no cases.
    public internal(set) var unreadable = 0
    public internal(set) var failures: [Case] = []
    /// Cases that passed with messages of our own.
    public internal(set) var reworded: [Case] = []
  }

  /// A case of which there is something to say.
  public struct Case: Sendable {
    /// The name in the list of known failures.
    public let name: String
    public let details: String
  }

  /// A folder that cannot be used.
  public struct NoRecordings: Error, CustomStringConvertible {
    let folder: URL

    public var description: String {
      "\(folder.path) holds no recordings. It should have files such as validate.jsonl, or folders of such files."
    }
  }

  private let corpora: [Corpus]

  /// - Parameter folders: Folders of recordings, one release of the reference implementation each, or folders of those.
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

  /// The recorded kinds that this runner has no check for.
  public var kindsWithoutCheck: [String] {
    let kinds = Set(corpora.flatMap { Self.recordedKinds(in: $0.folder) })
    return kinds.subtracting(Kind.all.map(\.name)).sorted()
  }

  /// Runs the cases of the given kinds, or of all.
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
