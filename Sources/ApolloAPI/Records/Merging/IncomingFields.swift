/// Finds the fields of a batch that are merged by rules.
struct IncomingFields {
  /// The rules for fields with arguments.
  let rules: [FieldKey: FieldRule]
  /// The functions of the app; nil if it has none.
  let mergers: FieldFunctions<any FieldPolicy.Merger>?

  /// The record, with the values marked that are to be merged by a rule.
  ///
  /// - Parameters:
  ///   - record: The record, in the numbers of its batch.
  ///   - type: The type of the object, if the record does not have it.
  ///   - field: The field of the record around it that the object is in. nil, the default: it is a record.
  /// - Returns: The record; the fields of one stored key are one field.
  func marking(_ record: ObjectRecord, type: TypeSymbol = .unknown, in field: FieldKey? = nil) -> ObjectRecord {
    let type = record.type == .unknown ? type : record.type, functions = mergers?.functions(on: type) ?? [:]
    var marked: [ObjectRecord.Field] = []
    for old in record.fields {
      let own = old.key.hasArguments ? rules[old.key] : nil, key = own?.storedKey ?? old.key, top = field ?? key
      let inner = marking(old.value, in: top)
      guard inner.isValue, let rule = rule(for: old.key, own, functions, on: type) else {
        marked.append(ObjectRecord.Field(key, inner))
        continue
      }
      let part = IncomingValue.Part(value: inner, arguments: own?.arguments ?? .none)
      if let index = marked.firstIndex(where: { $0.key == key }) {
        if case .incoming(let earlier) = marked[index].value {
          marked[index].value = .incoming(IncomingValue(earlier.parts + [part], rule, in: top))
        } else {
          marked[index].value = .incoming(IncomingValue([part], rule, in: top))
        }
      } else {
        marked.append(ObjectRecord.Field(key, .incoming(IncomingValue([part], rule, in: top))))
      }
    }
    let result = ObjectRecord.make(type: record.type, capacity: marked.count)
    for field in marked { result.append(field) }
    return result
  }

  /// The rule for a field: a function of the app comes before what the schema says.
  private func rule(
    for key: FieldKey, _ own: FieldRule?, _ functions: [String: any FieldPolicy.Merger], on type: TypeSymbol
  ) -> IncomingValue.Rule? {
    if !functions.isEmpty, case let name = own?.name ?? key.name, let function = functions[name] {
      return .function(function, coordinate: "\(type.name ?? "").\(name)")
    }
    return own?.pagination.map { .pages($0) }
  }

  private func marking(_ value: RecordValue, in field: FieldKey) -> RecordValue {
    switch value {
    case .object(let object): .object(marking(object, in: field))
    case .list(let values): .list(values.map { marking($0, in: field) })
    default: value
    }
  }
}
