/// A type of values for a field in a response: an object, a list, a scalar, an enum, or an optional of them.
public protocol __OutputValue: __JSONWritable, SendableMetatype {
  /// Reads the value at the reader's cursor.
  static func __read(from reader: inout __ObjectReader) throws(__ReadError) -> Self

  /// The value for a field that the server left out; nil if the schema does not allow that.
  static var __absentValue: Self? { get }
}

extension __OutputValue {
  /// nil: the field must not be left out.
  @inlinable public static var __absentValue: Self? { nil }
}

/// A type that may have fragments as members: a selection set, an inline fragment, or the fields under a condition.
public protocol __FragmentContainer: SendableMetatype {}

extension __FragmentContainer {
  /// The value itself, because fragments are members of the selection set that spreads them:
  /// `hero.fragments.characterCard` is `hero.characterCard`, and can be set as that can.
  ///
  /// A field with this name is meant instead, whatever its type is: hence the attribute.
  @_disfavoredOverload @inlinable public var fragments: Self {
    get { self }
    set { self = newValue }
  }
}

/// Some fields of one object: a selection set, or an inline fragment in one.
public protocol __FieldSet: __FragmentContainer {
  /// The fields that are read and written by their position.
  static var __fields: __FieldTable { get }

  /// Writes the members of the object, including those of its fragments.
  func __writeFields(to writer: inout __JSONWriter)
}

/// The fields that an operation or a fragment selects on one object, as a struct.
///
/// Conforming types are generated. They have a stored property for each field, for each named fragment, and for each
/// inline fragment (`asDroid`). They are `Sendable` and `Hashable`, unless they have a scalar that is not.
public protocol SelectionSet: __FieldSet, __OutputValue {
  /// The schema of the selection set, which tells the cache keys of objects. It is generated for the roots of
  /// operations and for named fragments; nil for other selection sets, and in code that was generated without it.
  static var schema: (any SchemaMetadata.Type)? { get }

  /// Reads the object from a response or from the cache.
  init(__reading object: inout __ObjectReader) throws(__ReadError)
}

extension SelectionSet {
  /// nil: the schema is that of the surrounding selection set.
  public static var schema: (any SchemaMetadata.Type)? { nil }

  /// Reads the object at the reader's cursor, from a response or from the cache.
  ///
  /// It is one function for all types, because the compiler would make one for each, which an app hardly calls: fields
  /// and lists of objects have functions of their own (`ObjectReader+Fields.swift`).
  @_semantics("optimize.sil.specialize.generic.never")
  public static func __read(from reader: inout __ObjectReader) throws(__ReadError) -> Self {
    try reader.beginObject(__fields)
    let value = try Self(__reading: &reader)
    try reader.endObject()
    return value
  }

  /// Writes the object as JSON. It is one function for all types, as the one that reads.
  @_semantics("optimize.sil.specialize.generic.never")
  public func __write(to writer: inout __JSONWriter) { writer.writeObject(self) }
}

/// An inline fragment in a selection set, such as `asDroid`. It also has the fields of the selection set around it: it
/// is given them when it is read, and gives them back when it is set.
public protocol InlineFragment: __FieldSet {
  /// Compares the fields that it adds to the selection set around it.
  func __hasEqualFields(as other: Self) -> Bool

  /// Feeds the fields into a hasher that it adds to the selection set around it.
  func __hashFields(into hasher: inout Hasher)
}

extension InlineFragment {
  /// True: it adds no fields.
  public func __hasEqualFields(as other: Self) -> Bool { true }

  /// Nothing: it adds no fields. (Code of version 0.1 does not say which ones it adds.)
  public func __hashFields(into hasher: inout Hasher) {}
}

extension InlineFragment where Self: Identifiable {
  /// The identifier, which it adds: otherwise generated code says what it adds.
  public func __hashFields(into hasher: inout Hasher) { hasher.combine(id) }
}

extension InlineFragment where Self: __MemberwiseHashable {
  /// The fields that it adds: it has no others, or generated code says which.
  @inlinable public func hash(into hasher: inout Hasher) { __hashFields(into: &hasher) }
}

extension InlineFragment where Self: __MemberwiseHashable & Identifiable {
  /// Feeds the identifier into a hasher, because equal objects have equal identifiers.
  @inlinable public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// A named fragment, which several operations may share.
public protocol Fragment: SelectionSet {
  /// The definition of the fragment in GraphQL; empty if the code was generated with identifiers of operations only.
  static var fragmentDefinition: StaticString { get }
}

extension Fragment {
  /// Empty: the generated code does not have the definition.
  public static var fragmentDefinition: StaticString { "" }
}

// MARK: - Lists and optionals

extension Optional: __JSONWritable where Wrapped: __JSONWritable {
  /// Writes the value, or null.
  @inlinable public func __write(to writer: inout __JSONWriter) {
    if let value = self { value.__write(to: &writer) } else { writer.writeNull() }
  }
}

extension Optional: __InputValue where Wrapped: __InputValue {}

extension Optional: __OutputValue where Wrapped: __OutputValue {
  /// Reads the value at the reader's cursor; nil for null, and for an element of a list that the cache has no more.
  @inlinable public static func __read(from reader: inout __ObjectReader) throws(__ReadError) -> Wrapped? {
    try reader.nullable { reader throws(__ReadError) -> Wrapped in try Wrapped.__read(from: &reader) }
  }

  /// nil: a nullable field may be left out.
  @inlinable public static var __absentValue: Wrapped?? { .some(nil) }
}

extension Array: __JSONWritable where Element: __JSONWritable {
  /// Writes the elements as a JSON list.
  @inlinable public func __write(to writer: inout __JSONWriter) {
    writer.writeList(self) { $1.__write(to: &$0) }
  }
}

extension Array: __InputValue where Element: __InputValue {}

extension Array: __OutputValue where Element: __OutputValue {
  /// Reads the list at the reader's cursor.
  @inlinable public static func __read(from reader: inout __ObjectReader) throws(__ReadError) -> [Element] {
    try reader.elements { reader throws(__ReadError) -> Element in try Element.__read(from: &reader) }
  }
}
