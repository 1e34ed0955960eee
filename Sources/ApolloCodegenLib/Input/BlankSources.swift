import GraphQLSyntax

/// Sources without a definition: files that are empty, or have comments only. They are passed over, because people begin
/// with such files, and comment out what is in them.
struct BlankSources {
  /// The sources that have something.
  let others: [Source]
  /// A note for each source that has nothing.
  let notes: [Diagnostic]
  private let ids: Set<Source.ID>

  init(_ sources: [Source]) {
    let blank = sources.filter(\.hasNoTokens), ids = Set(blank.map(\.id))
    self.ids = ids
    others = sources.filter { !ids.contains($0.id) }
    notes = blank.map { source in
      Diagnostic(
        .emptyFile, severity: .note, "There is nothing in this file, or only comments. It is passed over.",
        at: SourceSpan(0..<0, in: source.id))
    }
  }

  func contains(_ source: Source) -> Bool { ids.contains(source.id) }
}
