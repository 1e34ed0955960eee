// Fragments with arguments: within them, a reader has more variables.

extension __ObjectReader {
  /// Reads a fragment on the current object, with list `list` of the arguments in the current table.
  @inlinable public mutating func fragment<Value: SelectionSet>(arguments list: Int) throws(__ReadError) -> Value {
    let outer = enterScope(list)
    let value: Value = try fragment()
    leaveScopes(to: outer)
    return value
  }

  /// Reads a fragment on the current object, with list `list` of the arguments in the current table. It is there only if
  /// condition `condition` holds.
  @inlinable public mutating func fragment<Value: SelectionSet>(
    if condition: Int, arguments list: Int
  ) throws(__ReadError) -> Value? {
    if assumedConditions != nil { return try fragmentIfThere() }
    return includes(condition) ? try fragment(arguments: list) : nil
  }

  /// Begins to read with the variables of a fragment.
  ///
  /// - Returns: The scope around it, for ``leaveScopes(to:)``.
  @usableFromInline mutating func enterScope(_ list: Int) -> Int {
    let outer = scopes.current, table = frames.top.table.table
    // Code that was not generated may ask for any list.
    guard table.fragmentArguments.indices.contains(list) else { return outer }
    scopes.enter(table, list, &variables, &resolved)
    return outer
  }

  /// Reads with the variables around fragments again.
  @usableFromInline mutating func leaveScopes(to outer: Int) {
    while scopes.current != outer { scopes.leave(&variables, &resolved) }
  }

  /// Notes that the fields of a table were read of a record.
  @inline(__always) mutating func depend(on record: Int32, _ table: __FieldTable.Storage, sentAt date: OnlyDate) {
    source.depend(on: record, table, sentAt: date)
    if scopes.current != VariableScopes.outermost { dependOnKeys(of: record, table) }
  }

  /// Notes the fields themselves, because the keys that belong to a table are those outside of fragments with arguments.
  @inline(never) private mutating func dependOnKeys(of record: Int32, _ table: __FieldTable.Storage) {
    let keys = keys(of: table)
    for (field, _, _) in table.arguments { source.dependencies.add(record, field: keys[field]) }
  }
}

/// The variables of one execution: those of the operation, and those within each fragment with arguments.
struct VariableScopes {
  /// The scope of the operation, or of whatever is read.
  static let outermost = -1

  private struct Scope {
    let outer: Int
    let table: ObjectIdentifier
    let list: Int
    /// What is set aside: the variables of this scope, or of the one around it as long as this one is entered.
    var variables: Variables
    var resolved: [ResolvedTable?]
  }

  private var scopes: [Scope] = []
  /// The scope that is entered.
  private(set) var current = outermost

  /// Enters the scope of a fragment.
  ///
  /// - Parameters:
  ///   - table: The table that gives the fragment arguments.
  ///   - list: Which of its lists of arguments.
  ///   - variables: The variables; then, those within the fragment.
  ///   - resolved: What they make of tables.
  mutating func enter(
    _ table: __FieldTable.Storage, _ list: Int, _ variables: inout Variables, _ resolved: inout [ResolvedTable?]
  ) {
    let name = ObjectIdentifier(table), outer = current
    let known = scopes.firstIndex { $0.outer == outer && $0.table == name && $0.list == list }
    if known == nil {
      let inner = variables.within(table.fragmentArguments[list])
      scopes.append(Scope(outer: outer, table: name, list: list, variables: inner, resolved: []))
    }
    current = known ?? scopes.count - 1
    exchange(&variables, &resolved)
  }

  /// Returns to the scope around the one that is entered.
  mutating func leave(_ variables: inout Variables, _ resolved: inout [ResolvedTable?]) {
    exchange(&variables, &resolved)
    current = scopes[current].outer
  }

  private mutating func exchange(_ variables: inout Variables, _ resolved: inout [ResolvedTable?]) {
    swap(&variables, &scopes[current].variables)
    swap(&resolved, &scopes[current].resolved)
  }

  /// Frees the keys of all scopes that are not entered.
  func free() {
    for scope in scopes {
      for table in scope.resolved { table?.keys?.free() }
    }
  }
}
