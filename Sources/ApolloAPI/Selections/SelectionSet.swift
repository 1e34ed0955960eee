/// A value that can stand for a field in a response: an object, a list, a scalar, an enum, or an optional of them.
public protocol OutputValue: JSONWritable, SendableMetatype {
  /// Reads the value at the reader's cursor.
  static func read(from reader: inout ObjectReader) throws(ReadError) -> Self

  /// The value of a field that the server left out; nil where the schema does not allow that.
  static var absentValue: Self? { get }
}

extension OutputValue {
  @inlinable public static var absentValue: Self? { nil }
}

/// What may have fragments as members: a selection set, an inline fragment in one, or what is there under a condition.
public protocol FragmentContainer: SendableMetatype {}

extension FragmentContainer {
  /// The value itself: fragments are members of the selection set that spreads them.
  ///
  /// `hero.fragments.characterCard` is `hero.characterCard`.
  @inlinable public var fragments: Self { self }
}

/// Some fields of one object: a selection set, or an inline fragment in one.
public protocol FieldSet: FragmentContainer {
  /// The fields that are read and written by position.
  static var __fields: FieldTable { get }

  /// Writes the members of the object, those of its fragments included.
  func __writeFields(to writer: inout JSONWriter)
}

/// The fields that an operation or a fragment selects on one object, as a struct.
///
/// Conforming types are generated. They have a stored property for each field, for each named fragment, and for each
/// inline fragment (`asDroid`). They are `Sendable` and `Hashable`, except those with a scalar that is not.
public protocol SelectionSet: FieldSet, OutputValue {
  /// The schema it belongs to: it tells under which keys the cache keeps objects. Generated for the roots of operations
  /// and for named fragments; nil for others, and where code was generated without.
  static var schema: (any SchemaMetadata.Type)? { get }

  /// Reads the object from a response or from the cache.
  init(__reading object: inout ObjectReader) throws(ReadError)
}

extension SelectionSet {
  public static var schema: (any SchemaMetadata.Type)? { nil }

  @inlinable public static func read(from reader: inout ObjectReader) throws(ReadError) -> Self {
    try reader.beginObject(__fields)
    let value = try Self(__reading: &reader)
    try reader.endObject()
    return value
  }

  @inlinable public func write(to writer: inout JSONWriter) { writer.writeObject(self) }
}

/// An inline fragment in a selection set, such as `asDroid`. It has the fields of the selection set as well: it is handed
/// them when it is asked for, and hands them back when it is set.
public protocol InlineFragment: FieldSet {
  /// Compares the fields that the selection set around it has not.
  func __hasEqualFields(as other: Self) -> Bool
}

extension InlineFragment {
  public func __hasEqualFields(as other: Self) -> Bool { true }
}

/// A named fragment, which several operations may share.
public protocol Fragment: SelectionSet {
  /// The fragment's definition in GraphQL; empty if the code was generated with the identifiers of operations only.
  static var fragmentDefinition: StaticString { get }
}

extension Fragment {
  public static var fragmentDefinition: StaticString { "" }
}

// MARK: - Lists and optionals

extension Optional: JSONWritable where Wrapped: JSONWritable {
  @inlinable public func write(to writer: inout JSONWriter) {
    if let value = self { value.write(to: &writer) } else { writer.writeNull() }
  }
}

extension Optional: InputValue where Wrapped: InputValue {}

extension Optional: OutputValue where Wrapped: OutputValue {
  @inlinable public static func read(from reader: inout ObjectReader) throws(ReadError) -> Wrapped? {
    if reader.takeNull() { return nil }
    return try Wrapped.read(from: &reader)
  }

  @inlinable public static var absentValue: Wrapped?? { .some(nil) }
}

extension Array: JSONWritable where Element: JSONWritable {
  @inlinable public func write(to writer: inout JSONWriter) {
    writer.writeList(self) { $1.write(to: &$0) }
  }
}

extension Array: InputValue where Element: InputValue {}

extension Array: OutputValue where Element: OutputValue {
  @inlinable public static func read(from reader: inout ObjectReader) throws(ReadError) -> [Element] {
    var list = try reader.beginList()
    var elements: [Element] = []
    if list.count > 0 { elements.reserveCapacity(list.count) }
    while try reader.nextElement(&list) { elements.append(try Element.read(from: &reader)) }
    try reader.endList(list)
    return elements
  }
}
