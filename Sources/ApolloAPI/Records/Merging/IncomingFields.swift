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
  ///   - path: Where the object is in that record. The default is for a record.
  /// - Returns: The record; the fields of one stored key are one field.
  func marking(
    _ record: ObjectRecord, type: TypeSymbol = .unknown, in field: FieldKey? = nil, at path: String = ""
  ) -> ObjectRecord {
    let type = record.type == .unknown ? type : record.type, functions = mergers?.functions(on: type) ?? [:]
    var marked: [ObjectRecord.Field] = []
    for old in record.fields {
      let own = old.key.hasArguments ? rules[old.key] : nil, key = own?.storedKey ?? old.key, top = field ?? key
      // (Only for values that a function may merge.)
      func place() -> String {
        mergers == nil ? "" : path + "/" + (own?.storedText ?? (key.hasArguments ? "" : key.name))
      }
      let inner = marking(old.value, in: top, at: place())
      guard inner.isValue, let rule = rule(for: old.key, own, functions, on: type) else {
        marked.append(ObjectRecord.Field(key, inner))
        continue
      }
      let part = IncomingValue.Part(value: inner, arguments: own?.arguments ?? .none)
      if let index = marked.firstIndex(where: { $0.key == key }) {
        if case .incoming(let earlier) = marked[index].value {
          marked[index].value = .incoming(IncomingValue(earlier.parts + [part], rule, in: top, at: place()))
        } else {
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
    _ value: RecordValue, in field: FieldKey, at path: @autoclosure () -> String
  ) -> RecordValue {
    switch value {
    case .object(let object): return .object(marking(object, in: field, at: path()))
    case .list(let values):
      let place = path()
      return .list(values.enumerated().map { marking($1, in: field, at: "\(place)/\($0)") })
    default: return value
    }
  }
}
