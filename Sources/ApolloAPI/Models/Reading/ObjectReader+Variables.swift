// What the variables of an execution make of a table: the field keys of fields with arguments, and its conditions.

extension __ObjectReader {
  /// True if condition `i` of the current table holds: whether a field or a fragment with `@include` or `@skip` is
  /// there.
  public mutating func includes(_ i: Int) -> Bool {
    if let assumedConditions { return assumedCondition(i).map(assumedConditions.holds) ?? false }
    let table = frames.top.table.table
    guard table.conditions.indices.contains(i) else { return false }
    let index = resolve(table)
    return resolved[index]?.conditions[i] ?? true
  }

  @inline(__always) mutating func keys(of table: __FieldTable.Storage) -> UnownedList<FieldKey> {
    if mode == .json || table.arguments.isEmpty { return table.staticKeys }
    return resolvedKeys(of: table)
  }

  @inline(never) private mutating func resolvedKeys(of table: __FieldTable.Storage) -> UnownedList<FieldKey> {
    resolved[resolve(table)]?.keys ?? table.staticKeys
  }

  /// Evaluates a table once per execution, not per object.
  private mutating func resolve(_ table: __FieldTable.Storage) -> Int {
    let index = table.dynamicIndex
    if index >= resolved.count {
      resolved += Array(repeating: nil, count: index + 1 - resolved.count)
    }
    if resolved[index] != nil { return index }
    var result = ResolvedTable(conditions: table.conditions.map { $0.holds(variables) })
    if !table.arguments.isEmpty {
      var keys = table.staticKeys.array
      for (field, name, text) in table.arguments {
        keys[field] = fieldKey(
          name, arguments: text, policy: table.policies[field], pagination: table.paginations[field])
      }
      result.keys = UnownedList(keys)
    }
    resolved[index] = result
    return index
  }
}

extension __ObjectReader {
  /// The key of a field with arguments, in the numbers of the records that are read or made.
  private mutating func fieldKey(
    _ name: String, arguments: [UInt8], policy: DeclaredFieldPolicy?, pagination: PaginationPolicy?
  ) -> FieldKey {
    let stored = CanonicalArguments.fieldKey(
      name: name, arguments: arguments, policy: policy, pagination: pagination, variables: variables)
    if let snapshot = source.snapshot { return snapshot.keys.withLock { $0.fieldKey(stored) } }
    guard pagination != nil || sink.batch.mergers != nil else { return sink.batch.fieldKey(stored) }
    // Until it is merged, each set of arguments is a field of its own.
    let whole = CanonicalArguments.fieldKey(name: name, arguments: arguments, policy: nil, variables: variables)
    let input = FieldPolicy.InputData(
      arguments: CanonicalArguments.values(arguments: arguments, variables: variables))
    return sink.batch.fieldKey(whole == name ? name + "()" : whole, storedAs: stored) { storedKey in
      FieldRule(storedKey: storedKey, name: name, arguments: input, pagination: pagination)
    }
  }
}

extension Condition {
  func holds(_ variables: Variables) -> Bool {
    terms.contains { $0.allSatisfy { $0.holds(variables) } }
  }
}

extension Condition.Factor {
  fileprivate func holds(_ variables: Variables) -> Bool {
    switch test {
    case .isTrue: variables.isBoolean(true, variable)
    case .isNotTrue: !variables.isBoolean(true, variable)
    case .isFalse: variables.isBoolean(false, variable)
    }
  }
}
