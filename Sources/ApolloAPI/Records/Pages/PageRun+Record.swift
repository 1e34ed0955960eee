// A run of pages as a record, or as the fields of a connection.

extension PageRun {
  /// What it is as a record beside the list.
  var record: ObjectRecord {
    let fields = fields(pageInfo(over: []))
    let record = ObjectRecord.make(type: .unknown, capacity: fields.count)
    for field in fields { record.append(field) }
    return record
  }

  /// The lists, the page info, and the fields that no operation can select.
  func fields(_ pageInfo: ObjectRecord?) -> [ObjectRecord.Field] {
    var fields: [ObjectRecord.Field] = []
    func add(_ key: FieldKey, _ value: RecordValue?) { if let value { fields.append(ObjectRecord.Field(key, value)) } }
    add(.edges, edges?.value)
    add(.nodes, nodes?.value)
    add(.pageInfo, pageInfo.map { .object($0) })
    add(.pageAfter, after.map { .string($0) })
    add(.pageBefore, before.map { .string($0) })
    add(.pageCount, .int(count))
    let known = cursors.filter { $0.index < count }
    add(
      .pageCursors, known.isEmpty ? nil : .list(known.flatMap { [RecordValue.string($0.cursor), .int($0.index)] }))
    return fields
  }

  /// The page info of the whole run: the start is that of its first page, and the end that of its last.
  ///
  /// What the page at an end does not tell is told by the cursor of the edge there, or it is missing: what another page
  /// has told is of another place.
  ///
  /// - Parameter infos: Page infos whose other fields it has; a later one comes before an earlier one.
  /// - Returns: nil if nothing is known.
  func pageInfo(over infos: [ObjectRecord]) -> ObjectRecord? {
    var fields: [ObjectRecord.Field] = [], replaced: Set<FieldKey> = [.startCursor, .endCursor]
    func add(_ key: FieldKey, _ value: RecordValue?) {
      if let value { fields.append(ObjectRecord.Field(key, value)) } else { replaced.insert(key) }
    }
    func cursor(_ key: FieldKey, _ value: RecordValue?, orElse cursor: @autoclosure () -> String?) -> RecordValue? {
      switch value {
      case .error?: cursor().map { .string($0) } ?? value
      case nil: infos.contains { $0.value(of: key) != nil } ? cursor().map { .string($0) } : nil
      default: value
      }
    }
    add(.hasPreviousPage, hasPreviousPage)
    add(.startCursor, cursor(.startCursor, startCursor, orElse: start))
    add(.hasNextPage, hasNextPage)
    add(.endCursor, cursor(.endCursor, endCursor, orElse: end))
    guard let first = infos.first else {
      guard !fields.isEmpty else { return nil }
      return ObjectRecord.make(type: .unknown, capacity: 0).replacingFields(fields)
    }
    let info = infos.dropFirst().reduce(first) { $0.replacingFields($1.fields) }
    return info.replacingFields(fields, removing: replaced)
  }
}
