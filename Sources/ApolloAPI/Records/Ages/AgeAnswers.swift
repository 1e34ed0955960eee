/// What the app says of the ages of types and fields. It is asked once for each of them.
struct AgeAnswers {
  private let settings: AgeRules.Settings
  private var answers: [Question: UInt32?] = [:]

  private struct Question: Hashable {
    let type: TypeSymbol
    /// nil: the objects of the type are meant.
    let field: FieldKey?
  }

  init(_ settings: AgeRules.Settings) { self.settings = settings }

  /// Whether the app says something of some ages.
  var asksApp: Bool { settings.maxAge != nil }

  /// How old a field may be, in seconds; nil if the app says nothing of it.
  mutating func maxAge(of key: FieldKey, on type: TypeSymbol, in records: RecordSnapshot) -> UInt32? {
    maxAge(of: key, on: type) { records.text(of: key) }
  }

  /// The same for a field whose key has a text.
  mutating func maxAge(of key: FieldKey, on type: TypeSymbol, text: () -> String) -> UInt32? {
    answer(Question(type: type, field: key)) { String(text().prefix { $0 != "(" }) }
  }

  /// How old the objects of a type may be, in seconds; nil if the app says nothing of them.
  mutating func maxAge(of type: TypeSymbol) -> UInt32? {
    answer(Question(type: type, field: nil)) { nil }
  }

  private mutating func answer(_ question: Question, field: () -> String?) -> UInt32? {
    guard let maxAge = settings.maxAge else { return nil }
    if let known = answers[question] { return known }
    let answer = question.type.name.flatMap { maxAge($0, field()) }
    answers[question] = .some(answer)
    return answer
  }
}

extension RecordSnapshot {
  /// The type of an object, or of the first object of a list. nil if it is not an object, or not in memory.
  func type(of value: RecordValue) -> TypeSymbol? {
    switch value {
    case .reference(let number): return self[number]?.type
    case .references(let numbers): return numbers.first { $0 >= 0 }.flatMap { self[$0]?.type }
    case .object(let record): return record.type
    case .list(let values):
      for value in values { if let type = type(of: value) { return type } }
      return nil
    case .null, .bool, .int, .double, .string, .json, .error, .incoming: return nil
    }
  }
}

extension RecordValue {
  /// The record that it refers to; of a list, the first one.
  package var firstReference: Int32? {
    switch self {
    case .reference(let number): number
    case .references(let numbers): numbers.first { $0 >= 0 }
    case .list(let values): values.lazy.compactMap(\.firstReference).first
    case .null, .bool, .int, .double, .string, .json, .object, .error, .incoming: nil
    }
  }

  /// Whether it is an object, or a list with objects. (Of null, and of a list of nothing but nulls, that is not known.)
  var leadsToObjects: Bool {
    switch self {
    case .reference, .object: true
    case .references(let numbers): numbers.contains { $0 >= 0 }
    case .list(let values): values.contains { $0.leadsToObjects }
    case .null, .bool, .int, .double, .string, .json, .error, .incoming: false
    }
  }
}
