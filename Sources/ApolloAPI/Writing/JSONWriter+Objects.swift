extension JSONWriter {
  /// An object whose members are being written.
  struct OpenObject {
    var table: FieldTable.Storage?
    /// The members so far, where fragments may select them once more.
    var members: [Member]?

    struct Member {
      var key: Range<Int>
      var value: Range<Int>
    }
  }

  // MARK: Input objects and variables

  /// Writes an object whose members `body` writes by name.
  public mutating func writeObject(_ body: (inout JSONWriter) -> Void) {
    open(nil)
    body(&self)
    close()
  }

  /// Writes a member.
  public mutating func write(_ name: StaticString, _ value: some JSONWritable) {
    startMember()
    append(name)
    append("\":")
    let start = output.count
    value.write(to: &self)
    if objects.count == 1 { topLevelRanges[name.description] = start..<output.count }
  }

  /// Writes a member with any name.
  package mutating func write(member name: String, _ value: some JSONWritable) {
    if output.last != UInt8(ascii: "{") { comma() }
    write(name)
    output.append(UInt8(ascii: ":"))
    value.write(to: &self)
  }

  /// Writes a member unless it is absent.
  public mutating func write<Value: InputValue>(_ name: StaticString, _ value: GraphQLNullable<Value>) {
    switch value {
    case .none: break
    case .null: write(name, Value?.none)
    case .some(let value): write(name, value)
    }
  }

  /// Writes a variable; the default that its operation declares where it is absent.
  ///
  /// A server would apply the default itself, but conditions and cache keys depend on it as well.
  public mutating func write<Value: InputValue>(
    _ name: StaticString, _ value: GraphQLNullable<Value>, default defaultValue: GraphQLNullable<Value>
  ) {
    if case .none = value { write(name, defaultValue) } else { write(name, value) }
  }

  /// Writes the comma, where there is a member before, and the quote that opens the key.
  @inline(__always) private mutating func startMember() {
    if output.last != UInt8(ascii: "{") { comma() }
    output.append(UInt8(ascii: "\""))
  }

  // MARK: Selection sets

  /// Writes an object of the members that `value` writes by position in its table.
  public mutating func writeObject(_ value: some SelectionSet) {
    open(type(of: value).fields.storage)
    value.writeFields(to: &self)
    close()
  }

  /// Writes field `i` of the current table.
  ///
  /// A field that another fragment wrote before is not written twice: objects are merged, and otherwise the first counts.
  public mutating func write(_ i: Int, _ value: some JSONWritable) {
    guard let table = objects.last?.table, i < table.count else { return }
    let outset = output.count
    startMember()
    let field = table.fields + i
    let key = output.count..<(output.count + field.pointee.keyLength)
    output.append(field.pointee.bytes, field.pointee.length)
    let start = output.count
    value.write(to: &self)
    if objects[objects.count - 1].members != nil { noteMember(key, start..<output.count, outset) }
  }

  private mutating func noteMember(_ key: Range<Int>, _ value: Range<Int>, _ outset: Int) {
    let bytes = output.bytes
    let members = objects[objects.count - 1].members ?? []
    guard let earlier = members.first(where: { bytes[$0.key].elementsEqual(bytes[key]) }) else {
      objects[objects.count - 1].members?.append(.init(key: key, value: value))
      return
    }
    let isSame = bytes[earlier.value].elementsEqual(bytes[value])
    var merged: [UInt8] = []
    if !isSame {
      let place = baseline.isEmpty ? nil : JSONMerge.path(to: bytes[key], behind: bytes[..<outset])
      let old = place.flatMap { JSONMerge.value(at: $0, in: baseline[...]) }
      merged = JSONMerge.merge(Array(bytes[earlier.value])[...], Array(bytes[value])[...], old: old)
    }
    output.truncate(to: outset)
    if !isSame { replace(earlier.value, with: merged) }
  }

  /// Writes the members of a fragment on the current object.
  public mutating func write(fragment: some FieldSet) {
    let outer = objects[objects.count - 1].table
    objects[objects.count - 1].table = type(of: fragment).fields.storage
    fragment.writeFields(to: &self)
    objects[objects.count - 1].table = outer
  }

  /// Writes the members of a fragment, if the object has it.
  public mutating func write(fragment: (some FieldSet)?) {
    if let fragment { write(fragment: fragment) }
  }

  private mutating func open(_ table: FieldTable.Storage?) {
    output.append(UInt8(ascii: "{"))
    objects.append(OpenObject(table: table, members: table?.hasFragments == true ? [] : nil))
  }

  private mutating func close() {
    output.append(UInt8(ascii: "}"))
    objects.removeLast()
  }

  private mutating func replace(_ range: Range<Int>, with merged: [UInt8]) {
    output.replace(range, with: merged)
    let growth = merged.count - range.count
    let last = objects.count - 1
    objects[last].members = objects[last].members?.map { member in
      var member = member
      if member.value == range {
        member.value = range.lowerBound..<(range.upperBound + growth)
      } else if member.key.lowerBound > range.lowerBound {
        member.key = (member.key.lowerBound + growth)..<(member.key.upperBound + growth)
        member.value = (member.value.lowerBound + growth)..<(member.value.upperBound + growth)
      }
      return member
    }
  }
}
