// What generated code calls is inlined into it up to the calls of the writer itself: written out for the types of a
// model, it is several times as fast as generic code that looks up how each value is written. Leaves of common types
// have functions of their own, in JSONWriter+Fields.swift.

extension __JSONWriter {
  /// An object whose members are being written.
  struct OpenObject {
    /// The fields that are written by position.
    var table = WrittenTable()
    /// The members written so far; set if fragments may select them again.
    var members: [Member]?
    /// What is being written is there for the key of the object only.
    var isWritingKey = false
    /// Takes this object as one value, and where its text begins.
    var recorder: ModelRecorder?
    var start = 0

    struct Member {
      var key: Range<Int>
      var value: Range<Int>
      /// Whether it is there for the key of the object only: a property of the same name counts in its place.
      var isKeyOnly = false
    }
  }

  /// What is written by position.
  @usableFromInline struct WrittenTable {
    let fields: UnownedList<FieldInfo>
    /// nil for an object whose members are written by name.
    private let table: UnownedTable?

    init() {
      fields = .none
      table = nil
    }

    init(_ table: __FieldTable.Storage) {
      fields = table.fields
      self.table = UnownedTable(table)
    }

    /// Why the text of the table makes none.
    var problem: String? { table?.table.problem }

    var conditions: [Condition] { table?.table.conditions ?? [] }

    var fragmentArguments: [FragmentVariables] { table?.table.fragmentArguments ?? [] }
  }

  // MARK: Input objects and variables

  /// Writes an object whose members `body` writes by name.
  @inlinable public mutating func writeObject(_ body: (inout __JSONWriter) -> Void) {
    openObject()
    body(&self)
    closeObject()
  }

  /// Writes a member.
  @inlinable public mutating func write<Value: __JSONWritable>(_ name: StaticString, _ value: Value) {
    let start = beginMember(name)
    value.__write(to: &self)
    endMember(name, start)
  }

  @usableFromInline mutating func beginMember(_ name: StaticString) -> Int {
    output.append(key: name)
    return output.count
  }

  @usableFromInline mutating func endMember(_ name: StaticString, _ start: Int) {
    if notesMembers, outerObjects.isEmpty { writtenMembers.append((name.description, start..<output.count)) }
  }

  /// Writes a member with any name.
  package mutating func write(member name: String, _ value: some __JSONWritable) {
    if output.count > 0, output[output.count - 1] != UInt8(ascii: "{") { comma() }
    write(name)
    output.append(UInt8(ascii: ":"))
    value.__write(to: &self)
  }

  /// Writes a variable whose value is JSON already.
  mutating func write(variable name: String, _ json: ResponseBytes) {
    if output.count > 0, output[output.count - 1] != UInt8(ascii: "{") { comma() }
    write(name)
    output.append(UInt8(ascii: ":"))
    let start = output.count
    writeRaw(json, 0..<json.count)
    if notesMembers, outerObjects.isEmpty { writtenMembers.append((name, start..<output.count)) }
  }

  /// Writes a member unless it is absent.
  @inlinable public mutating func write<Value: __JSONWritable>(_ name: StaticString, _ value: GraphQLNullable<Value>) {
    switch value {
    case .none: break
    case .null: write(name, Value?.none)
    case .some(let value): write(name, value)
    }
  }

  /// Writes a variable; the default that its operation declares where it is absent.
  ///
  /// A server would apply the default itself, but conditions and cache keys depend on it as well.
  @inlinable public mutating func write<Value: __JSONWritable>(
    _ name: StaticString, _ value: GraphQLNullable<Value>, default defaultValue: GraphQLNullable<Value>
  ) {
    if case .none = value { write(name, defaultValue) } else { write(name, value) }
  }

  /// Writes a variable; where it is absent, the default that its operation declares, as JSON.
  ///
  /// Generated code has the JSON of defaults for which Swift has no expression, such as those of custom scalars.
  @inlinable public mutating func write<Value: __JSONWritable>(
    _ name: StaticString, _ value: GraphQLNullable<Value>, defaultJSON: StaticString
  ) {
    if case .none = value { write(name, json: defaultJSON) } else { write(name, value) }
  }

  @usableFromInline mutating func write(_ name: StaticString, json: StaticString) {
    let start = beginMember(name)
    output.append(json)
    endMember(name, start)
  }

  // MARK: Selection sets

  /// Writes an object of the members that `value` writes by position in its table.
  @inlinable public mutating func writeObject<Value: SelectionSet>(_ value: Value) {
    openObject(Value.__fields)
    value.__writeFields(to: &self)
    closeObject()
  }

  /// Writes field `i` of the current table, whose value is an object.
  @inlinable public mutating func write<Value: SelectionSet>(_ i: Int, _ value: Value) {
    let outset = openObject(i, Value.__fields)
    value.__writeFields(to: &self)
    closeObject(i, outset)
  }

  /// Writes field `i` of the current table, whose value is an object or null.
  @inlinable public mutating func write<Value: SelectionSet>(_ i: Int, _ value: Value?) {
    if let value { write(i, value) } else { writeNull(i) }
  }

  /// Writes field `i` of the current table, whose value is a list of objects or null.
  @inlinable @inline(never) public mutating func write<Value: SelectionSet>(_ i: Int, _ values: [Value]?) {
    guard let values else { return writeNull(i) }
    let outset = beginField(i)
    writeList(values) { $0.writeObject($1) }
    endField(i, outset)
  }

  /// Writes field `i` of the current table, whose value is a list of objects and nulls, or null.
  @inlinable @inline(never) public mutating func write<Value: SelectionSet>(_ i: Int, _ values: [Value?]?) {
    guard let values else { return writeNull(i) }
    let outset = beginField(i)
    writeList(values) { if let value = $1 { $0.writeObject(value) } else { $0.writeNull() } }
    endField(i, outset)
  }

  /// Writes field `i` of the current table.
  ///
  /// A field that another fragment wrote before is not written twice: objects are merged, and otherwise the first
  /// counts.
  @_disfavoredOverload @inlinable @inline(never)
  public mutating func write<Value: __JSONWritable>(_ i: Int, _ value: Value) {
    let outset = beginField(i)
    value.__write(to: &self)
    endField(i, outset)
  }

  /// Writes field `i` of the current table, which may be null, and which is there only if condition `condition` holds.
  public mutating func write<Value: __JSONWritable>(_ i: Int, _ value: Value?, if condition: Int) {
    if let value { return write(i, value) }
    // Where the variables are not known, it is not known whether the condition holds.
    let conditions = object.table.conditions
    guard let variables, condition < conditions.count, conditions[condition].holds(variables) else { return }
    write(i, Value?.none)
  }

  /// Writes field `i` of the current table, which is there for the key of the object only. It is left out if the object
  /// does not have it, or if it was written before. A property of the same name that is written later takes its place.
  @inlinable public mutating func writeKey<Value: __JSONWritable>(_ i: Int, _ value: Value?) {
    guard let value, !isRecorded(i) else { return }
    let outset = beginField(i)
    value.__write(to: &self)
    endKeyField(i, outset)
  }

  /// Whether the recorder has field `i` of the current object. (In JSON, no field is written twice anyway.)
  @usableFromInline func isRecorded(_ i: Int) -> Bool { recorder?.hasMember(i) ?? false }

  @usableFromInline mutating func endKeyField(_ i: Int, _ outset: Int) {
    if let recorder { return recorder.endKeyField(i, outset) }
    object.isWritingKey = true
    endField(i, outset)
    object.isWritingKey = false
  }

  /// Writes the key of a field; tells what was written before it.
  @usableFromInline mutating func beginField(_ i: Int) -> Int {
    if let recorder { return recorder.valueCount }
    let outset = output.count
    if hasField(i) {
      let field = object.table.fields[i]
      output.append(key: field.bytes, (field.word0, field.word1), length: field.length)
    } else {
      output.append(key: "")
    }
    return outset
  }

  /// Whether the table has a field `i`: code that was not generated may write any.
  @inline(__always) private func hasField(_ i: Int) -> Bool {
    UInt(bitPattern: i) < UInt(bitPattern: object.table.fields.count)
  }

  @usableFromInline mutating func endField(_ i: Int, _ outset: Int) {
    guard hasField(i) else { return failOutsideOfTable(i, outset) }
    if let recorder { return recorder.endField(i, outset) }
    if object.members != nil { noteMember(i, outset) }
  }

  @inline(never) private mutating func failOutsideOfTable(_ i: Int, _ outset: Int) {
    let detail =
      object.table.problem ?? "Field \(i) is written, and the field table has \(object.table.fields.count) fields"
    if failure == nil { failure = .invalidModel(detail) }
    recorder?.removeValues(from: outset)
  }

  private mutating func noteMember(_ i: Int, _ outset: Int) {
    let length = object.table.fields[i].keyLength, start = outset + (output[outset] == UInt8(ascii: ",") ? 2 : 1)
    let key = start..<(start + length), value = (start + length + 2)..<output.count
    guard let earlier = earlierMember(key) else {
      object.members?.append(.init(key: key, value: value, isKeyOnly: object.isWritingKey))
      return
    }
    if !earlier.isKeyOnly, writtenErrors.isEmpty, output.areEqual(earlier.value, value) {
      return output.truncate(to: outset)
    }
    let joined = earlier.isKeyOnly ? output.array(object.isWritingKey ? earlier.value : value) : merged(earlier, value)
    moveErrors(of: earlier.value, and: value, to: joined)
    output.truncate(to: outset)
    replace(earlier.value, with: joined, isKeyOnly: earlier.isKeyOnly && object.isWritingKey)
  }

  /// A member that was written before, with what a later value adds to it.
  private borrowing func merged(_ earlier: OpenObject.Member, _ value: Range<Int>) -> [UInt8] {
    var merged = tree(earlier.value), writer = __JSONWriter()
    merged.merge(tree(value), keepsOld: true)
    merged.__write(to: &writer)
    return writer.bytes
  }

  private borrowing func tree(_ range: Range<Int>) -> JSONTree {
    JSONTree(trusted: String(decoding: output.array(range), as: UTF8.self))
  }

  private borrowing func earlierMember(_ key: Range<Int>) -> OpenObject.Member? {
    guard let members = object.members else { return nil }
    for member in members where output.areEqual(member.key, key) { return member }
    return nil
  }

  /// Writes the members of a fragment on the current object.
  @inlinable public mutating func write<Value: __FieldSet>(fragment: Value) {
    let outer = enter(Value.__fields, Value.self)
    fragment.__writeFields(to: &self)
    leave(outer)
  }

  /// Writes the members of a fragment, if the object has it.
  @inlinable public mutating func write<Value: __FieldSet>(fragment: Value?) {
    if let fragment { write(fragment: fragment) }
  }

  @usableFromInline mutating func enter(_ fields: __FieldTable, _ fragment: any Any.Type) -> WrittenTable {
    let outer = object.table
    object.table = WrittenTable(fields.storage)
    recorder?.enter(fields.storage, fragment: fragment)
    return outer
  }

  @usableFromInline mutating func leave(_ outer: WrittenTable) {
    object.table = outer
    recorder?.leave()
  }

  @usableFromInline mutating func openObject() {
    outerObjects.append(object)
    object = OpenObject()
    object.recorder = recorder
    object.start = output.count
    recorder = nil
    output.append(UInt8(ascii: "{"))
  }

  @usableFromInline mutating func openObject(_ fields: __FieldTable) {
    outerObjects.append(object)
    object = OpenObject()
    object.table = WrittenTable(fields.storage)
    if let recorder { return recorder.openObject(fields.storage) }
    output.append(UInt8(ascii: "{"))
    if fields.storage.hasFragments { object.members = [] }
  }

  @usableFromInline mutating func closeObject() {
    if let recorder {
      recorder.closeObject()
    } else {
      output.append(UInt8(ascii: "}"))
      if object.recorder != nil {
        recorder = object.recorder
        takeJSON(from: object.start)
      }
    }
    object = outerObjects.removeLast()
  }

  @usableFromInline mutating func openObject(_ i: Int, _ fields: __FieldTable) -> Int {
    let outset = beginField(i)
    openObject(fields)
    return outset
  }

  @usableFromInline mutating func closeObject(_ i: Int, _ outset: Int) {
    closeObject()
    endField(i, outset)
  }

  private mutating func replace(_ range: Range<Int>, with merged: [UInt8], isKeyOnly: Bool) {
    output.replace(range, with: merged)
    let growth = merged.count - range.count
    object.members = object.members?.map { member in
      var member = member
      if member.value == range {
        member.value = range.lowerBound..<(range.upperBound + growth)
        member.isKeyOnly = isKeyOnly
      } else if member.key.lowerBound > range.lowerBound {
        member.key = (member.key.lowerBound + growth)..<(member.key.upperBound + growth)
        member.value = (member.value.lowerBound + growth)..<(member.value.upperBound + growth)
      }
      return member
    }
  }
}
