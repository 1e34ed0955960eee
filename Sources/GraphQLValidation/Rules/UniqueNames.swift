import GraphQLSyntax

/// Names seen so far.
struct UniqueNames {
  private var spans: [String: SourceSpan] = [:]

  /// Remembers a name. When it has been seen before, the answer is where.
  mutating func insert(_ name: Name) -> SourceSpan? {
    if let first = spans[name.value] { return first }
    spans[name.value] = name.span
    return nil
  }
}

/// A name that occurs more than once.
struct Duplicate {
  var name: String
  /// The second occurrence.
  var span: SourceSpan
  /// The other ones.
  var labels: [Diagnostic.Label]
}

/// The names that occur more than once, each reported once.
func duplicates(in names: [Name]) -> [Duplicate] {
  let groups = Dictionary(grouping: names, by: \.value).values.filter { $0.count > 1 }
  return groups.sorted { $0[0].span.start < $1[0].span.start }.map { names in
    let others = names.dropFirst(2).map { Diagnostic.Label("and again here", at: $0.span) }
    return Duplicate(name: names[0].value, span: names[1].span, labels: [.first(names[0].span)] + others)
  }
}

extension Diagnostic.Label {
  /// Where something was defined that has been defined again.
  static func first(_ span: SourceSpan) -> Diagnostic.Label { Diagnostic.Label("first defined here", at: span) }
}
