extension __FieldTable: CustomDebugStringConvertible {
  /// The fields with their positions, because generated code reads and writes by position. One line each, and one for each
  /// condition and each list of arguments:
  ///
  ///     0 __typename
  ///     1 id (part of the key)
  ///     2 best: friends(first:1)
  ///     condition 0: full and not brief
  ///     arguments 0: Portrait(size:16)
  public var debugDescription: String {
    if let problem = storage.problem { return "No fields: \(problem)" }
    let fields = (0..<storage.count).map { "\($0) \(storage.description(ofField: $0))" }
    let conditions = storage.conditions.enumerated().map { "condition \($0): \($1)" }
    let arguments = storage.fragmentArguments.enumerated().map { "arguments \($0): \($1)" }
    let own = storage.ownVariables.map { ["variables: \($0)"] } ?? []
    return (fields + conditions + arguments + own).joined(separator: "\n")
  }
}

extension __FieldTable.Storage {
  fileprivate func description(ofField index: Int) -> String {
    let field = fields[index]
    let argument = arguments.first { $0.field == index }
    let name = argument?.name ?? staticKeys[index].name
    var text = field.responseKey == name ? name : "\(field.responseKey): \(name)"
    if let argument { text += "(\(String(decoding: argument.text, as: UTF8.self)))" }
    let isKeyField = argument == nil && (0..<keyFields.count).contains { keyFields[$0] == staticKeys[index] }
    let marks = [
      isKeyField ? "part of the key" : nil,
      field.isID ? "ID" : nil,
      field.isEmbedded ? "kept inside" : nil,
      field.isLocal ? "local" : nil,
      field.nulls.description,
      policies[index].map { "of \($0.types.joined(separator: ", "))" },
      paginations[index].map { _ in "one list of its pages" },
    ].compactMap(\.self)
    return marks.isEmpty ? text : "\(text) (\(marks.joined(separator: "; ")))"
  }
}

extension FragmentVariables: CustomStringConvertible {
  /// The values, and the names of the variables without one.
  var description: String {
    (["\(fragment)(\(String(decoding: values, as: UTF8.self)))"] + others).joined(separator: ", ")
  }
}

extension Condition: CustomStringConvertible {
  /// The condition in words.
  var description: String {
    terms.map { $0.map(\.description).joined(separator: " and ") }.joined(separator: ", or ")
  }
}

extension Condition.Factor: CustomStringConvertible {
  var description: String {
    switch test {
    case .isTrue: variable
    case .isNotTrue: "not \(variable)"
    case .isFalse: "\(variable) is false"
    }
  }
}
