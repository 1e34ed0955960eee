public import Foundation

/// Runs recorded cases and sums up how they went.
public struct ConformanceRunner {
  /// The cases of one kind of one folder.
  public struct Summary: Sendable {
    public let corpus: String
    public let kind: String
    public internal(set) var passed = 0
    public internal(set) var total = 0
    /// Cases that the recording holds as text that is not Unicode.
    public internal(set) var unreadable = 0
    public internal(set) var failures: [Failure] = []
  }

  /// A case that went differently.
  public struct Failure: Sendable {
    /// The name in the list of known failures.
    public let name: String
    public let details: String
  }

  private let folder: URL

  /// - Parameter folder: Where the folders of recordings are.
  public init(folder: URL) { self.folder = folder }

  /// The folders of recordings, sorted by name.
  public func corpora() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { name in
      FileManager.default.fileExists(
        atPath: folder.appendingPathComponent(name).appendingPathComponent("schemas.json").path)
    }.sorted()
  }

  /// The recorded kinds that this runner has no check for.
  public func kindsWithoutCheck() throws -> [String] {
    let recorded = try corpora().flatMap { corpus in
      try FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent(corpus).path)
    }
    let kinds = Set(recorded.filter { $0.hasSuffix(".jsonl") }.map { String($0.dropLast(6)) })
    return kinds.subtracting(Kind.all.map(\.name)).sorted()
  }

  /// Runs the cases of the given kinds, or of all.
  public func run(kinds: Set<String> = []) async throws -> [Summary] {
    var summaries: [Summary] = []
    for name in try corpora() {
      let corpus = try Corpus(folder: folder.appendingPathComponent(name))
      for kind in Kind.all where kinds.isEmpty || kinds.contains(kind.name) {
        if let summary = try await run(kind, corpus, name) { summaries.append(summary) }
      }
    }
    return summaries
  }

  private func run(_ kind: Kind, _ corpus: Corpus, _ corpusName: String) async throws -> Summary? {
    guard let (records, unreadable) = try corpus.records(kind.name) else { return nil }
    var summary = Summary(corpus: corpusName, kind: kind.name)
    summary.unreadable = unreadable
    var occurrences: [String: Int] = [:]
    for record in records {
      summary.total += 1
      let occurrence = occurrences[record.name, default: 0] + 1
      occurrences[record.name] = occurrence
      switch await kind.check(record, corpus) {
      case .passed: summary.passed += 1
      case .failed(let details):
        let name = "\(corpusName)/\(kind.name)/\(record.name)#\(occurrence)"
        summary.failures.append(Failure(name: name, details: details))
      }
    }
    return summary
  }
}
