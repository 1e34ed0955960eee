/// Finds the fields of a batch that are merged by rules.
struct IncomingFields {
  /// The rules for fields with arguments.
  let rules: [FieldKey: FieldRule]
  /// The functions of the app; nil if it has none.
  let mergers: FieldFunctions<any FieldPolicy.Merger>?
  /// The keys of the fields with arguments, by their numbers in the batch; nil if paths are not needed.
  let argumentKeys: [String]?

  /// The record, with the values marked that are to be merged by a rule.
  ///
  /// - Parameters:
  ///   - record: The record, in the numbers of its batch.
  ///   - type: The type of the object, if the record does not have it.
  ///   - field: The field of the record around it that the object is in. nil, the default: it is a record.
  ///   - path: Where the object is in that record. The default is for a record.
  ///   - merge: Joins fields. It takes the objects that turn out to be parts of other records of the batch.
  /// - Returns: The record; the fields of one stored key are one field. It is as it was if no rule concerns it.
  func marking(
    _ record: ObjectRecord, type: TypeSymbol = .unknown, in field: FieldKey? = nil,
    at path: @autoclosure () -> String = "", _ merge: inout Merge
  ) -> ObjectRecord {
    guard concern(record, type) else { return record }
    let type = record.type == .unknown ? type : record.type, functions = mergers?.functions(on: type) ?? [:]
    var marked: [ObjectRecord.Field] = []
    for old in joined(record.fields, functions, on: type, &merge) {
      let own = rule(of: old.key), key = own?.storedKey ?? old.key, top = field ?? key
      // (A text is made only for values that are merged by a rule.)
      func place() -> String {
        guard let argumentKeys else { return "" }
        return path() + "/" + (key.hasArguments ? argumentKeys[Int(key.number)] : key.name)
      }
      let inner = marking(old.value, in: top, at: place(), &merge)
      guard let rule = rule(for: old.key, own, functions, on: type),
        inner.isValue || rule.isLaterPage(inner, own?.arguments ?? .none)
      else {
        if own != nil, let index = marked.firstIndex(where: { $0.key == key }) {
          // Null takes the place of pages, and an error does not.
          if case .error = inner { continue }
          marked[index].value = inner
        } else {
          marked.append(ObjectRecord.Field(key, inner))
        }
        continue
      }
      let part = IncomingValue.Part(value: inner, arguments: own?.arguments ?? .none)
      if let index = marked.firstIndex(where: { $0.key == key }) {
        if case .incoming(let earlier) = marked[index].value {
          marked[index].value = .incoming(IncomingValue(earlier.parts + [part], rule, in: top, at: place()))
        } else if inner.isValue {
          marked[index].value = .incoming(IncomingValue([part], rule, in: top, at: place()))
        }
      } else {
        marked.append(ObjectRecord.Field(key, .incoming(IncomingValue([part], rule, in: top, at: place()))))
      }
    }
    let result = ObjectRecord.make(type: record.type, capacity: marked.count)
    for field in marked { result.append(field) }
    return result
  }

  /// Whether a rule is for a field of the record, or of an object in it. (Most records of a page have no such field, and
  /// need not be made anew.)
  private func concern(_ record: ObjectRecord, _ type: TypeSymbol) -> Bool {
    if let mergers, !mergers.functions(on: record.type == .unknown ? type : record.type).isEmpty { return true }
    return record.fields.contains { rule(of: $0.key) != nil || concern($0.value) }
  }

  private func concern(_ value: RecordValue) -> Bool {
    switch value {
    case .object(let object): concern(object, .unknown)
    case .list(let values): values.contains(where: concern)
    default: false
    }
  }

  /// The fields, of which those are one that have one stored key and are not merged by a rule: an operation selects
  /// them under different arguments that tell no values apart.
  private func joined(
    _ fields: [ObjectRecord.Field], _ functions: [String: any FieldPolicy.Merger], on type: TypeSymbol,
    _ merge: inout Merge
  ) -> [ObjectRecord.Field] {
    func mayJoin(_ field: ObjectRecord.Field) -> Bool {
      guard let own = rule(of: field.key) else { return false }
      return rule(for: field.key, own, functions, on: type) == nil
    }
    guard fields.contains(where: mayJoin) else { return fields }
    var joined: [ObjectRecord.Field] = [], places: [FieldKey: Int] = [:]
    for field in fields {
      guard let own = rule(of: field.key), rule(for: field.key, own, functions, on: type) == nil else {
        joined.append(field)
        continue
      }
      if let place = places[own.storedKey] {
        if let value = joined[place].value.merging(field.value, &merge) { joined[place].value = value }
      } else {
        places[own.storedKey] = joined.count
        joined.append(field)
      }
    }
    return joined
  }

  private func rule(of key: FieldKey) -> FieldRule? { key.hasArguments ? rules[key] : nil }

  /// The rule for a field: a function of the app comes before what the schema says.
  private func rule(
    for key: FieldKey, _ own: FieldRule?, _ functions: [String: any FieldPolicy.Merger], on type: TypeSymbol
  ) -> IncomingValue.Rule? {
    if !functions.isEmpty, case let name = own?.name ?? key.name, let function = functions[name] {
      return .function(function, coordinate: "\(type.name ?? "").\(name)")
    }
    return own?.pagination.map { .pages($0) }
  }

  private func marking(
    _ value: RecordValue, in field: FieldKey, at path: @autoclosure () -> String, _ merge: inout Merge
  ) -> RecordValue {
    switch value {
    case .object(let object): return .object(marking(object, in: field, at: path(), &merge))
    case .list(let values):
      var marked: [RecordValue] = []
      marked.reserveCapacity(values.count)
      for (index, value) in values.enumerated() {
        marked.append(marking(value, in: field, at: "\(path())/\(index)", &merge))
      }
      return .list(marked)
    default: return value
    }
  }
}

extension IncomingValue.Rule {
  /// Whether a value is null in the place of a page that comes behind others.
  fileprivate func isLaterPage(_ value: RecordValue, _ arguments: FieldPolicy.InputData) -> Bool {
    guard case .pages(let policy) = self, case .null = value else { return false }
    return policy.isLater(arguments)
  }
}
