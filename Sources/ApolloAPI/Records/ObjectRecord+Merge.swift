// Merging is pure: records that others may see are never changed, a new one takes their place.

/// How values are merged.
struct Merge {
  /// Errors take the place of values; else a value stays when an error comes.
  var replacingByErrors = false
  /// Both sides are the same part of one response, selected in two places. Where only one of them selects the fields of
  /// a key, the other one is the same object all the same.
  var isOfOneResponse = false
  /// Objects that turned out to be a part of the record with a number.
  var twins: [(number: Int32, object: ObjectRecord)] = []

  /// False if the sides are not the same object.
  fileprivate mutating func addTwin(_ object: ObjectRecord, of number: Int32) -> Bool {
    if isOfOneResponse { twins.append((number, object)) }
    return isOfOneResponse
  }
}

extension ObjectRecord {
  /// The record with `fields` merged into it; nil if that changes nothing.
  ///
  /// - Parameter onChange: Called with the key of each field that is new or gets another value.
  func merging(
    _ fields: FieldPlaces, _ merge: inout Merge, onChange: (FieldKey) -> Void = { _ in }
  ) -> ObjectRecord? {
    var merged: ObjectRecord?, places = self.places, hint = 0
    for i in 0..<fields.count {
      let key = fields[i].key
      // Most fields come in the same order as before, and most have the value that they had.
      if hint < places.count, places[hint].key == key, places.value(at: hint).isIdentical(to: fields.value(at: i)) {
        hint += 1
        continue
      }
      let index = places.index(of: key, from: hint)
      if let index {
        hint = index + 1
        if places.value(at: index).isIdentical(to: fields.value(at: i)) { continue }
        guard let value = places[index].value.merging(fields[i].value, &merge) else { continue }
        if merged == nil { merged = copy(capacity: count + fields.count - i) }
        merged?.setValue(at: index, value)
      } else {
        if merged == nil { merged = copy(capacity: count + fields.count - i) }
        merged?.append(Field(key, fields[i].value))
      }
      if let merged { places = merged.places }
      if index == nil { hint = places.count }
      onChange(key)
    }
    return merged
  }

  /// - Parameter replacingByErrors: Errors take the place of values; else a value stays when an error comes.
  package func merging(
    _ other: ObjectRecord, replacingByErrors: Bool, onChange: (FieldKey) -> Void = { _ in }
  ) -> ObjectRecord? {
    var merge = Merge(replacingByErrors: replacingByErrors)
    return merging(other, &merge, onChange: onChange)
  }

  func merging(
    _ other: ObjectRecord, _ merge: inout Merge, onChange: (FieldKey) -> Void = { _ in }
  ) -> ObjectRecord? {
    defer { withExtendedLifetime(other) {} }
    let merged = merging(other.places, &merge, onChange: onChange)
    // Not every operation asks for the type of the root.
    guard type == .unknown, other.type != .unknown, value(of: .typename) == nil else { return merged }
    return (merged ?? self).copy(capacity: 0, type: other.type)
  }
}

extension RecordValue {
  /// What the value becomes when `new` comes in; nil if it stays as it is.
  ///
  /// Objects without a key are merged field by field while their type stays the same, and so are lists of them of
  /// equal length. An error does not take the place of a value. Everything else is replaced.
  func merging(_ new: RecordValue, _ merge: inout Merge) -> RecordValue? {
    // One after the other: a pair would be made of copies.
    if case .string(let a) = self, case .string(let b) = new { return a == b ? nil : new }
    switch (self, new) {
    case (.object(let a), .object(let b)) where a.hasSameType(as: b):
      return a.merging(b, &merge).map { .object($0) }
    case (.list(let a), .list(let b)) where a.count == b.count: return a.merging(b, &merge).map { .list($0) }
    case (.references(let a), .list(let b)) where !merge.replacingByErrors && b.hasValues(likeThoseOf: a):
      return nil
    case (.reference(let number), .object(let object)) where merge.addTwin(object, of: number): return nil
    case (.object(let object), .reference(let number)) where merge.addTwin(object, of: number): return new
    case (.references(let a), .list(let b)) where merge.isOfOneResponse && a.count == b.count:
      return [RecordValue](a).merging(b, &merge).map { .list($0) }
    case (.list(let a), .references(let b)) where merge.isOfOneResponse && a.count == b.count:
      return a.merging([RecordValue](b), &merge).map { .list($0) }
    case (.error, .error): return isSame(as: new) ? nil : new
    case (_, .error) where !merge.replacingByErrors: return nil
    default: return isSame(as: new) ? nil : new
    }
  }

  /// The same for all spellings of a JSON value.
  private static func canonicalJSON(_ text: String) -> [UInt8] {
    guard let value = try? ResponseReader.jsonValue(text) else { return Array(text.utf8) }
    var writer = JSONWriter()
    writer.writeJSON(value)
    return writer.bytes
  }

  /// True for equal values.
  package func isSame(as other: RecordValue) -> Bool {
    switch (self, other) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.int(let a), .int(let b)): a == b
    case (.double(let a), .double(let b)): a == b
    case (.int(let a), .double(let b)), (.double(let b), .int(let a)): Double(a) == b
    case (.string(let a), .string(let b)): a == b
    case (.json(let a), .json(let b)): a == b || Self.canonicalJSON(a) == Self.canonicalJSON(b)
    case (.reference(let a), .reference(let b)): a == b
    case (.references(let a), .references(let b)): a == b
    case (.error(let a), .error(let b)): a.text == b.text
    case (.list(let a), .list(let b)): a.count == b.count && zip(a, b).allSatisfy { $0.isSame(as: $1) }
    case (.object(let a), .object(let b)):
      a.type == b.type && a.count == b.count
        && a.fields.allSatisfy { field in b.value(of: field.key)?.isSame(as: field.value) ?? false }
    default: false
    }
  }
}

extension [RecordValue] {
  fileprivate init(_ references: [Int32]) { self = references.map { $0 < 0 ? .null : .reference($0) } }

  /// Merges the elements of lists of equal length; nil if that changes nothing.
  fileprivate func merging(_ new: [RecordValue], _ merge: inout Merge) -> [RecordValue]? {
    var merged: [RecordValue]?
    for index in indices {
      guard let value = self[index].merging(new[index], &merge) else { continue }
      if merged == nil { merged = self }
      merged?[index] = value
    }
    return merged
  }

  /// True for the same list with errors in place of some of its objects.
  fileprivate func hasValues(likeThoseOf references: [Int32]) -> Bool {
    count == references.count
      && zip(self, references).allSatisfy { value, reference in
        switch value {
        case .error: true
        case .reference(let number): number == reference
        case .null: reference < 0
        default: false
        }
      }
  }
}

extension ObjectRecord {
  func hasSameType(as other: ObjectRecord) -> Bool {
    if type != .unknown || other.type != .unknown { return type == other.type }
    guard case .string(let a)? = value(of: .typename), case .string(let b)? = other.value(of: .typename) else {
      return true
    }
    return a == b
  }
}
