import ApolloAPI

/// The references of one record to absent records, as far as they were found.
struct DanglingReferences {
  /// A dangling reference, or those of one list of references.
  private struct Occurrence {
    /// The place of the reference, or of the list of references.
    let place: [Int]
    /// The elements of the list that dangle; nil for a reference that is not in a list of references.
    var elements: [Int]?
    var targets: [Int32]
    /// The path of each reference.
    var names: [String]
    /// The path of the place.
    let name: String

    /// The references, without those to some records.
    func removing(_ restored: Set<Int32>) -> Occurrence {
      guard !restored.isEmpty else { return self }
      let kept = targets.indices.filter { !restored.contains(targets[$0]) }
      var result = self
      result.targets = kept.map { targets[$0] }
      result.names = kept.map { names[$0] }
      result.elements = elements.map { elements in kept.map { elements[$0] } }
      return result
    }
  }

  let number: Int32
  /// The record as it was.
  private let record: ObjectRecord
  /// Whether only the fields are searched that were written during the first search.
  let isRescan: Bool
  /// The fields that were written since the search began.
  var changed: Set<FieldKey> = []
  /// Records that were absent and have been written since.
  var restored: Set<Int32> = []
  private var occurrences: [Occurrence] = []
  /// Whether the next reference begins new lists, which stay short. (A long one would be moved each time it grows.)
  private var isNewSlice = true

  init(_ number: Int32, _ record: ObjectRecord, isRescan: Bool) {
    self.number = number
    self.record = record
    self.isRescan = isRescan
  }

  var isEmpty: Bool { occurrences.isEmpty && changed.isEmpty }

  mutating func endSlice() { isNewSlice = true }

  mutating func insert(_ target: Int32, at place: [Int], isInReferences: Bool, in table: RecordTable) {
    defer { isNewSlice = false }
    guard isInReferences, let element = place.last else {
      let name = name(of: place, table)
      return occurrences.append(Occurrence(place: place, targets: [target], names: [name], name: name))
    }
    let last = occurrences.count - 1
    if !isNewSlice, last >= 0, occurrences[last].elements != nil,
      occurrences[last].place.elementsEqual(place.dropLast())
    {
      occurrences[last].elements?.append(element)
      occurrences[last].targets.append(target)
      occurrences[last].names.append("\(occurrences[last].name).\(element)")
    } else {
      let list = Array(place.dropLast()), name = name(of: list, table)
      occurrences.append(
        Occurrence(place: list, elements: [element], targets: [target], names: ["\(name).\(element)"], name: name))
    }
  }

  private func name(of place: [Int], _ table: RecordTable) -> String {
    var name = table.records.key(of: number) ?? "", value = RecordValue.object(record)
    for index in place {
      switch value {
      case .object(let object):
        let field = object.field(at: index)
        name += ".\(table.records.text(of: field.key))"
        value = field.value
      case .list(let values):
        name += ".\(index)"
        value = values[index]
      default: break
      }
    }
    return name
  }

  // MARK: Removing

  /// Takes the references out of the record, but not out of fields that were written meanwhile.
  ///
  /// - Parameter step: The step. The record is in memory, if it is still there.
  /// - Returns: The paths of what was removed.
  func remove(from step: inout Collector.Step) -> [[String]] {
    guard let now = step.table[number] else { return [] }
    var rest = occurrences.filter { !changed.contains(record.field(at: $0.place[0]).key) }
      .map { $0.removing(restored) }.filter { !$0.targets.isEmpty }[...]
    guard !rest.isEmpty else { return [] }
    let names = rest.map(\.names)
    var kept: [FieldKey: RecordValue] = [:], keys: [FieldKey] = []
    while let index = rest.first?.place[0] {
      let here = rest.prefix { $0.place[0] == index }, field = record.field(at: index)
      rest = rest.dropFirst(here.count)
      keys.append(field.key)
      kept[field.key] = Self.value(field.value, without: here, depth: 1)
    }
    let cut = Set(keys), result = ObjectRecord.make(type: now.type, capacity: now.count)
    now.forEachField { field in
      if !cut.contains(field.key) {
        result.append(field)
      } else if let value = kept[field.key] {
        result.append(ObjectRecord.Field(field.key, value))
      }
    }
    step.table.set(number, result)
    for key in keys { step.changes.insertRemoval(of: key, from: number) }
    return names
  }

  /// - Returns: The value without some references; nil if it is one. Where pages were merged, an element is left out whose
  ///   node is such a reference.
  private static func value(_ value: RecordValue, without occurrences: ArraySlice<Occurrence>, depth: Int)
    -> RecordValue?
  {
    switch value {
    case .references(var numbers):
      for part in occurrences { for element in part.elements ?? [] { numbers[element] = -1 } }
      return .references(numbers)
    case .object(let record):
      let result = ObjectRecord.make(type: record.type, capacity: record.count)
      var rest = occurrences, index = 0
      record.forEachField { field in
        defer { index += 1 }
        let here = rest.prefix { $0.place[depth] == index }
        rest = rest.dropFirst(here.count)
        if here.isEmpty {
          result.append(field)
        } else if let value = Self.value(field.value, without: here, depth: depth + 1) {
          result.append(ObjectRecord.Field(field.key, value))
        }
      }
      let absent = Set(occurrences.lazy.flatMap(\.targets))
      return .object(result.removingElements(of: record) { absent.contains($0) })
    case .list(var values):
      var rest = occurrences
      while let index = rest.first?.place[depth] {
        let here = rest.prefix { $0.place[depth] == index }
        rest = rest.dropFirst(here.count)
        values[index] = Self.value(values[index], without: here, depth: depth + 1) ?? .null
      }
      return .list(values)
    case .reference: return nil
    case .null, .bool, .int, .double, .string, .json, .error, .incoming: return value
    }
  }
}
