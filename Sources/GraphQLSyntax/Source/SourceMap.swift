/// The sources that diagnostics are about, by their identifiers.
public struct SourceMap: Sendable {
  private var sources: [Source.ID: Source] = [:]

  /// Makes a map of sources.
  public init(_ sources: some Sequence<Source> = []) {
    for source in sources { insert(source) }
  }

  /// Adds a source.
  public mutating func insert(_ source: Source) {
    sources[source.id] = source
  }

  /// The source with an identifier; nil for ``Source/ID/none`` and for sources that are not in the map.
  public subscript(id: Source.ID) -> Source? { sources[id] }
}
