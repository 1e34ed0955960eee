// Fragments with arguments: within them, a writer has more variables.

extension __JSONWriter {
  /// Writes the members of a fragment, if the object has it, with list `list` of the arguments in the current table.
  @inlinable public mutating func write<Value: __FieldSet>(fragment: Value?, arguments list: Int) {
    guard let fragment else { return }
    let outer = enterScope(list)
    write(fragment: fragment)
    leaveScope(outer)
  }

  /// Begins to write with the variables of a fragment.
  ///
  /// - Returns: The variables around the fragment; nil if they are not known.
  @usableFromInline mutating func enterScope(_ list: Int) -> Variables? {
    let lists = object.table.fragmentArguments
    guard let outer = variables, lists.indices.contains(list) else { return nil }
    let inner = outer.within(lists[list])
    variables = inner
    recorder?.enterScope(inner)
    return outer
  }

  /// Writes with the variables around the fragment again.
  @usableFromInline mutating func leaveScope(_ outer: Variables?) {
    guard let outer else { return }
    variables = outer
    recorder?.leaveScope()
  }
}
