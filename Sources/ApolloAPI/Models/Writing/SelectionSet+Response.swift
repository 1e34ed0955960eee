extension SelectionSet {
  /// A response with the object as its `data`, and with the errors that the object has in place of values.
  package func response() -> ResponseBytes {
    var writer = __JSONWriter()
    writer.writeResponse { __write(to: &$0) }
    return ResponseBytes(writer.bytes)
  }
}

extension __JSONWriter {
  /// Writes a response.
  ///
  /// - Parameter data: Writes the data. The errors in place of values are written behind it. One without a path gets that
  ///   of its place.
  package mutating func writeResponse(_ data: (inout __JSONWriter) -> Void) {
    writeRaw(#"{"data":"#.utf8)
    let start = output.count
    data(&self)
    if !writtenErrors.isEmpty {
      let errors = locatedErrors(from: start)
      writeRaw(#","errors":"#.utf8)
      writeJSON(errors.map { $0.object as JSONValue })
    }
    writeRaw("}".utf8)
  }

  /// Finds the errors in two values of one field again in the text that takes the place of both. Of two errors in one
  /// place, the first one is kept.
  ///
  /// - Parameters:
  ///   - earlier: Where the first value stands.
  ///   - later: Where the second value stands.
  ///   - text: What will stand where the first value does.
  mutating func moveErrors(of earlier: Range<Int>, and later: Range<Int>, to text: [UInt8]) {
    guard writtenErrors.contains(where: { $0.offset >= earlier.lowerBound }) else { return }
    let earlierPaths = NullPaths(in: ResponseBytes(output.array(earlier))).paths
    let laterPaths = NullPaths(in: ResponseBytes(output.array(later))).paths
    var offsets: [[PathComponent]: Int] = [:], moved: [(error: GraphQLError, offset: Int)] = []
    for (offset, path) in NullPaths(in: ResponseBytes(text)).paths { offsets[path] = offset }
    for (error, offset) in writtenErrors {
      if earlier.contains(offset) || later.contains(offset) {
        let path =
          earlier.contains(offset)
          ? earlierPaths[offset - earlier.lowerBound] : laterPaths[offset - later.lowerBound]
        if let place = path.flatMap({ offsets.removeValue(forKey: $0) }) {
          moved.append((error, earlier.lowerBound + place))
        }
      } else {
        moved.append((error, offset < earlier.lowerBound ? offset : offset + text.count - earlier.count))
      }
    }
    writtenErrors = moved
  }

  /// The errors that were written in place of values of the text that begins at an offset, with their paths.
  private func locatedErrors(from start: Int) -> [GraphQLError] {
    if writtenErrors.allSatisfy({ $0.error.path != nil }) { return writtenErrors.map(\.error) }
    let paths = NullPaths(in: ResponseBytes(output.array(start..<output.count))).paths
    return writtenErrors.map { error, offset in
      guard error.path == nil, let path = paths[offset - start] else { return error }
      var object = error.object
      object["path"] = path.map(\.jsonValue)
      return GraphQLError(object)
    }
  }
}

/// The paths of the nulls in a text, by their offsets.
private struct NullPaths {
  private(set) var paths: [Int: [PathComponent]] = [:]
  private var path: [PathComponent] = []

  init(in bytes: ResponseBytes) {
    var cursor = JSONCursor(bytes, maximumDepth: .max)
    // A text that was written by hand may not be JSON; the reader says so.
    try? visit(&cursor)
  }

  private mutating func visit(_ cursor: inout JSONCursor) throws(__ReadError) {
    cursor.skipSpace()
    switch cursor.p.byte {
    case UInt8(ascii: "{"):
      var isFirst = true
      while let name = try cursor.nextMember(&isFirst) {
        // (A mock may have named the field in front; see ``__ObjectReader/search(_:)``.)
        let key = name.hasPrefix(":") ? String(name.split(separator: ":").last ?? "") : name
        try visit(&cursor, at: .field(key))
      }
    case UInt8(ascii: "["):
      var index = 0
      try cursor.forEachElement { cursor throws(__ReadError) in
        try visit(&cursor, at: .index(index))
        index += 1
      }
    default:
      if cursor.isNull { paths[cursor.offset] = path }
      try cursor.skipValue()
    }
  }

  private mutating func visit(_ cursor: inout JSONCursor, at component: PathComponent) throws(__ReadError) {
    path.append(component)
    try visit(&cursor)
    path.removeLast()
  }
}
