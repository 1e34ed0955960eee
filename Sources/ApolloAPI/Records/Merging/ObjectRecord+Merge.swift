// Merging is pure: it never changes a record that others may read, but makes a new one.

/// The rules for merging values, and what merging found out.
struct Merge {
  /// Whether an error replaces a value. Otherwise a value stays when an error comes.
  var replacingByErrors = false
  /// Whether both sides are one part of one response, selected in two places. If only one of them selects the fields of
  /// a key, the other is nevertheless that object.
  var isOfOneResponse = false
  /// What functions of the app are told that merge fields; nil if there are none.
  var context: MergeContext?
  /// Objects that turned out to be parts of a record, with the number of the record.
  var twins: [(number: Int32, object: ObjectRecord)] = []

  /// A value that comes in where there is nothing to merge it with.
  ///
  /// - Returns: nil if the cache keeps none.
  fileprivate func complete(_ new: RecordValue) -> RecordValue? { context.map { new.merged($0) } ?? new }

  /// Notes that an object is a part of a record. False if the two sides are different objects.
  fileprivate mutating func addTwin(_ object: ObjectRecord, of number: Int32) -> Bool {
    if isOfOneResponse { twins.append((number, object)) }
    return isOfOneResponse
  }
}

extension ObjectRecord {
  /// Merges fields into the record.
  ///
  /// - Parameters:
  ///   - fields: The new fields.
  ///   - merge: The rules.
  ///   - onChange: Called with the key of each field that is new or gets another value.
  /// - Returns: The new record; nil if nothing changes.
  func merging(
    _ fields: FieldPlaces, _ merge: inout Merge, onChange: (FieldKey) -> Void = { _ in }
  ) -> ObjectRecord? {
    var merged: ObjectRecord?, places = self.places, hint = 0
    for i in 0..<fields.count {
      let key = fields[i].key
      // Most fields come in the order of the record, and most have the value that they had.
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
        guard let value = merge.complete(fields[i].value) else { continue }
        if merged == nil { merged = copy(capacity: count + fields.count - i) }
        merged?.append(Field(key, value))
      }
      if let merged { places = merged.places }
      if index == nil { hint = places.count }
      onChange(key)
    }
    return merged
  }

  /// Merges another record into this one.
  ///
  /// - Parameters:
  ///   - other: The other record.
  ///   - replacingByErrors: Whether an error replaces a value. Otherwise a value stays when an error comes.
  ///   - context: What functions of the app are told that merge fields. nil, the default: there are none.
  ///   - onChange: Called with the key of each field that is new or gets another value.
  /// - Returns: The new record; nil if nothing changes.
  package func merging(
    _ other: ObjectRecord, replacingByErrors: Bool, _ context: MergeContext? = nil,
    onChange: (FieldKey) -> Void = { _ in }
  ) -> ObjectRecord? {
    var merge = Merge(replacingByErrors: replacingByErrors, context: context)
    return merging(other, &merge, onChange: onChange)
  }

  func merging(
    _ other: ObjectRecord, _ merge: inout Merge, onChange: (FieldKey) -> Void = { _ in }
  ) -> ObjectRecord? {
    defer { withExtendedLifetime(other) {} }
    let merged = merging(other.places, &merge, onChange: onChange)
    guard let newType = newType(from: other) else { return merged }
    onChange(.typename)
    let result = (merged ?? self).copy(capacity: 0, type: newType)
    // An alias makes it a field as well.
    if let name = newType.name, let index = result.places.index(of: .typename) {
      result.setValue(at: index, .string(name))
    }
    return result
  }

  /// The type that another record gives to the object; nil if the type stays. The last one counts, as with any field:
  /// objects of several types may share their keys.
  private func newType(from other: ObjectRecord) -> TypeSymbol? {
    if other.type != .unknown { return other.type == type ? nil : other.type }
    // An operation need not ask for the type of the root. A name without a symbol is a field.
    guard type != .unknown, case .string(let name)? = other.value(of: .typename) else { return nil }
    let told = TypeSymbol.lookUp(name)
    return told == type ? nil : told
  }
}

extension RecordValue {
  /// The value that results when `new` comes in; nil if the value stays.
  ///
  /// Objects without a key are merged field by field if their types are equal, and lists of such objects if their
  /// lengths are. An error does not replace a value. Everything else is replaced.
  func merging(_ new: RecordValue, _ merge: inout Merge) -> RecordValue? {
    // One after the other, because a pair would consist of copies.
    if case .string(let a) = self, case .string(let b) = new { return a.hasSameBytes(as: b) ? nil : new }
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
    case (_, .incoming(let incoming)):
      guard let context = merge.context else { return nil }
      guard let value = incoming.merged(with: self, context) else { return nil }
      return isSame(as: value) ? nil : value
    case (.error, .error): return isSame(as: new) ? nil : new
    case (_, .error) where !merge.replacingByErrors: return nil
    default: return isSame(as: new) ? nil : merge.complete(new)
    }
  }

  /// JSON in a canonical form, which is equal for all spellings of a value.
  private static func canonicalJSON(_ text: String) -> String {
    guard let value = try? JSONCursor.value(of: text), let scalar = try? JSONScalar(_jsonValue: value) else {
      return text
    }
    return scalar.description
  }

  /// Whether the values are equal.
  package func isSame(as other: RecordValue) -> Bool {
    switch (self, other) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.int(let a), .int(let b)): a == b
    case (.double(let a), .double(let b)): a == b
    case (.int(let a), .double(let b)), (.double(let b), .int(let a)): Double(a) == b
    case (.string(let a), .string(let b)): a.hasSameBytes(as: b)
    case (.json(let a), .json(let b)):
      a.hasSameBytes(as: b) || Self.canonicalJSON(a).hasSameBytes(as: Self.canonicalJSON(b))
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

  /// The digits of an integer that an `Int` cannot hold, which is kept as JSON; nil for all other values.
  var wideInteger: String? {
    guard case .json(let text) = self else { return nil }
    let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
    return !digits.isEmpty && digits.allSatisfy { $0 &- UInt8(ascii: "0") < 10 } ? text : nil
  }

  /// Hashes a leaf, so that values which are the same have equal hashes. An error hashes like null. Nothing is hashed of what
  /// consists of others.
  package func hash(into hasher: inout Hasher) {
    switch self {
    case .null, .error: hasher.combine(UInt8(0))
    case .bool(let value): hasher.combine(value)
    // An integer may equal a floating-point number.
    case .int(let value): hasher.combine(Double(value))
    case .double(let value): hasher.combine(value)
    case .string(let value): hasher.combine(value)
    case .json(let text): hasher.combine(Self.canonicalJSON(text))
    case .reference(let number): hasher.combine(number)
    default: break
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

  /// Whether the list equals the references, with errors in place of some of them.
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
  /// Whether the types of both are equal, or neither of them is known.
  package func hasSameType(as other: ObjectRecord) -> Bool {
    if type != .unknown || other.type != .unknown { return type == other.type }
    guard case .string(let a)? = value(of: .typename), case .string(let b)? = other.value(of: .typename) else {
      return true
    }
    return a == b
  }
}
