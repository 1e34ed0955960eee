/// A type that can be made of a JSON value, and so can be the type of a custom scalar in a selection.
///
/// A type implements one of the two initializers. They do one thing, and have the names that different releases of
/// Apollo iOS gave them.
public protocol JSONDecodable: __OutputValue {
  /// Makes a value of JSON, under the name of Apollo iOS 1 and later.
  ///
  /// - Parameter value: The JSON value.
  /// - Throws: Any error if the JSON value does not fit, for example a ``JSONDecodingError``.
  init(_jsonValue value: JSONValue) throws

  /// Makes a value of JSON, under the name of Apollo iOS 0.x.
  ///
  /// - Parameter value: The JSON value.
  /// - Throws: Any error if the JSON value does not fit, for example a ``JSONDecodingError``.
  init(jsonValue value: JSONValue) throws
}

extension JSONDecodable {
  /// Calls ``init(jsonValue:)``.
  ///
  /// - Parameter value: The JSON value.
  /// - Throws: The error of that initializer, or ``JSONDecodingError/notImplemented(_:)`` if the type implements
  ///   neither.
  public init(_jsonValue value: JSONValue) throws {
    self = try Spelling.$forwarding.withValue(ObjectIdentifier(Self.self)) { try Self(jsonValue: value) }
  }

  /// Calls `init(_jsonValue:)`.
  ///
  /// - Parameter value: The JSON value.
  /// - Throws: The error of that initializer, or ``JSONDecodingError/notImplemented(_:)`` if the type implements
  ///   neither.
  public init(jsonValue value: JSONValue) throws {
    guard Spelling.forwarding != ObjectIdentifier(Self.self) else { throw JSONDecodingError.notImplemented(Self.self) }
    try self.init(_jsonValue: value)
  }

  /// Reads a value at the reader's cursor, from a response or from the cache.
  public static func __read(from reader: inout __ObjectReader) throws(__ReadError) -> Self {
    let value = try reader.scalarValue()
    if let standIn: Self = reader.standIns?.value(for: value) { return standIn }
    return try scalar(value, from: &reader)
  }

  /// Writes null, because the type is not ``JSONEncodable``, and the writer fails: nothing with this value can be
  /// written to the cache.
  public func __write(to writer: inout __JSONWriter) {
    if let standIns = writer.standIns { return writer.write(standIns.add(self)) }
    writer.fail(.notEncodable(Self.self))
  }

  private static func scalar(_ value: JSONValue, from reader: inout __ObjectReader) throws(__ReadError) -> Self {
    do {
      return try Self(_jsonValue: value)
    } catch {
      for form in otherForms(of: value) {
        if let other = form(), let scalar = try? Self(_jsonValue: other) { return scalar }
      }
      throw reader.scalarFailure(error)
    }
  }
}

// The compiler chooses between these functions and those above where a type says that it conforms. A cast would choose
// at run time, and may find the conformance of another module in the same program, which writes another form.
extension JSONDecodable where Self: JSONEncodable {
  /// Reads a value at the reader's cursor, from a response or from the cache.
  public static func __read(from reader: inout __ObjectReader) throws(__ReadError) -> Self {
    let value = try reader.scalarValue()
    return try scalar(value, from: &reader)
  }

  /// Writes the value of ``JSONEncodable/_jsonValue``.
  public func __write(to writer: inout __JSONWriter) { writer.writeJSON(_jsonValue) }
}

/// A type that can be written as a JSON value. A type implements one of the two properties.
public protocol JSONEncodable {
  /// The value as JSON, under the name of Apollo iOS 1 and later.
  var _jsonValue: JSONValue { get }
  /// The value as JSON, under the name of Apollo iOS 0.x.
  var jsonValue: JSONValue { get }
}

extension JSONEncodable {
  /// The value of ``jsonValue``. The program stops if the type implements neither property.
  public var _jsonValue: JSONValue {
    Spelling.$forwarding.withValue(ObjectIdentifier(Self.self)) { jsonValue }
  }

  /// The value of `_jsonValue`. The program stops if the type implements neither property.
  public var jsonValue: JSONValue {
    guard Spelling.forwarding != ObjectIdentifier(Self.self) else {
      preconditionFailure("\(Self.self) conforms to JSONEncodable, but has neither '_jsonValue' nor 'jsonValue'.")
    }
    return _jsonValue
  }
}

/// Recognizes a type that implements neither of two requirements, whose default implementations would call each other
/// without end.
private enum Spelling {
  /// The type whose default implementation is calling the other requirement.
  @TaskLocal static var forwarding: ObjectIdentifier?
}

/// A Swift type for a custom scalar of the schema. It has two members: one reads JSON, the other writes JSON.
///
/// A number is an `Int` if it is sent without a fraction, and otherwise a `Double`. If the type refuses it, it is asked
/// again with the same number as a `Double`, an `Int` and an `Int64`. So a type may ask for one of them, whether a server
/// sends `21` or `21.0`. A list or an object that it refuses comes again as an `[AnyHashable]` or a
/// `[String: AnyHashable]`, and so does what is in it: these are the types of Apollo iOS 1. Then it comes as
/// `JSONSerialization` reads it, with numbers that are any number, and at last as AnyHashables whose numbers are all
/// `Double`. A type that takes a default for what it does not find, in place of refusing the value, is not asked again.
///
///     extension Temperature: CustomScalarType {
///       init(_jsonValue value: JSONValue) throws {
///         guard let celsius = value as? Double else { throw JSONDecodingError.couldNotConvert(value: value, to: Self.self) }
///         self.init(celsius: celsius)
///       }
///       var _jsonValue: JSONValue { celsius }
///     }
public protocol CustomScalarType: JSONDecodable, JSONEncodable, __InputValue {}
