/// The variables of a fragment, with values: those that a spread gives them, or their defaults.
///
/// In tables, a variable of a fragment has the fragment's name before its own, so that it differs from all variables of
/// operations and of other fragments.
struct FragmentVariables: Sendable {
  /// The name of the fragment.
  let fragment: String
  /// The values, as a template of ``CanonicalArguments``.
  let values: [UInt8]
  /// The variables that have no value.
  let others: [String]
}

extension Variables {
  /// The variables within a fragment.
  ///
  /// - Parameter arguments: What the spread gives to the fragment. Its values may have these variables in them.
  /// - Returns: These variables, and those of the fragment that have a value.
  func within(_ arguments: FragmentVariables) -> Variables {
    let values = CanonicalArguments.texts(arguments: arguments.values, variables: self)
    return adding(values.map { (arguments.fragment + "." + $0.name, $0.value) })
  }

  /// The variables of an execution that begins with a type: if it is a fragment with variables of its own, these are the
  /// values of that fragment's variables.
  ///
  /// - Parameter type: The type of the outermost object.
  /// - Returns: These variables, and each of the fragment that has a value here, or a default value.
  package func completed<Data: SelectionSet>(for type: Data.Type) -> Variables {
    let table = Data.__fields.storage
    return table.hasOwnVariables ? completed(for: table) : self
  }

  @inline(never) private func completed(for table: __FieldTable.Storage) -> Variables {
    guard let own = table.ownVariables else { return self }
    let defaults = CanonicalArguments.texts(arguments: own.values, variables: .none)
    let given = (defaults.map { ($0.name, $0.value) } + own.others.map { ($0, nil) }).compactMap {
      (name: String, value: String?) -> (name: String, json: String)? in
      let json = self[name].map { String(decoding: $0, as: UTF8.self) } ?? value
      return json.map { (own.fragment + "." + name, $0) }
    }
    return adding(given)
  }
}
