import ApolloAPI

/// The references to absent records that were found in a record.
struct FoundReferences {
  /// References in one place.
  private struct Found {
    /// The place of the reference, or of the list of references.
    let place: [Int]
    /// The elements of the list; nil if it is none.
    var elements: [Int]?
    var targets: [Int32]
    /// The paths of what was found.
    var names: [String]
    /// The path of the list.
    let name: String

    /// What was found, but for references to some records.
    func removing(_ returned: Set<Int32>) -> Found {
      guard !returned.isEmpty else { return self }
      let kept = targets.indices.filter { !returned.contains(targets[$0]) }
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
  let isSecondLook: Bool
  /// The fields that were written since the search began.
  var changed: Set<FieldKey> = []
  /// Records that were absent and have been written since.
  var returned: Set<Int32> = []
  private var found: [Found] = []
  /// Whether the next reference begins new lists, which stay short. (A long one would be moved each time it grows.)
  private var isNewSlice = true

  init(_ number: Int32, _ record: ObjectRecord, isSecondLook: Bool) {
    self.number = number
    self.record = record
    self.isSecondLook = isSecondLook
  }

  var isEmpty: Bool { found.isEmpty && changed.isEmpty }

  mutating func endSlice() { isNewSlice = true }

  mutating func insert(_ target: Int32, at place: [Int], isInReferences: Bool, in table: RecordTable) {
    defer { isNewSlice = false }
    guard isInReferences, let element = place.last else {
      let name = name(of: place, table)
      return found.append(Found(place: place, targets: [target], names: [name], name: name))
    }
    let last = found.count - 1
    if !isNewSlice, last >= 0, found[last].elements != nil, found[last].place.elementsEqual(place.dropLast()) {
      found[last].elements?.append(element)
      found[last].targets.append(target)
      found[last].names.append("\(found[last].name).\(element)")
    } else {
      let list = Array(place.dropLast()), name = name(of: list, table)
      found.append(
        Found(place: list, elements: [element], targets: [target], names: ["\(name).\(element)"], name: name))
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
    var rest = found.filter { !changed.contains(record.field(at: $0.place[0]).key) }
      .map { $0.removing(returned) }.filter { !$0.targets.isEmpty }[...]
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

  /// - Returns: The value without some references; nil if it is one.
  private static func value(_ value: RecordValue, without found: ArraySlice<Found>, depth: Int) -> RecordValue? {
    switch value {
    case .references(var numbers):
      for part in found { for element in part.elements ?? [] { numbers[element] = -1 } }
      return .references(numbers)
    case .object(let record):
      let result = ObjectRecord.make(type: record.type, capacity: record.count)
      var rest = found, index = 0
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
      return .object(result)
    case .list(var values):
      var rest = found
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
