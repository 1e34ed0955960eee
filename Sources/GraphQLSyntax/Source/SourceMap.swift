/// The sources that a set of diagnostics talks about, by id.
public struct SourceMap: Sendable {
  private var sources: [Source.ID: Source] = [:]

  public init(_ sources: some Sequence<Source> = []) {
    for source in sources { insert(source) }
  }

  public mutating func insert(_ source: Source) {
    sources[source.id] = source
  }

  /// The source with this id, or `nil` for ``Source/ID/none`` and for sources that were never inserted.
  public subscript(id: Source.ID) -> Source? { sources[id] }
}
