public import ApolloAPI
public import Foundation

extension SelectionSet {
  /// The data as JSON in the types of `JSONSerialization`: `NSNull` stands for null.
  ///
  /// Fields with `@include` or `@skip` that are nil are left out; ``jsonObject(variables:)`` can tell whether they are
  /// null.
  public var jsonObject: JSONObject { json(__JSONWriter()) }

  /// The data as JSON in the types of `JSONSerialization`: `NSNull` stands for null.
  ///
  /// - Parameter variables: The variables of the operation, which decide whether a nil field with `@include` or `@skip`
  ///   is absent or null.
  /// - Returns: The JSON object.
  public func jsonObject(variables: Variables) -> JSONObject {
    json(__JSONWriter(variables: variables.completed(for: Self.self)))
  }

  private func json(_ writer: consuming __JSONWriter) -> JSONObject {
    // The writer has written an object.
    let object = writer.value { __write(to: &$0) } as? JSONObject
    return (object ?? [:]).mapValues(FoundationJSON.export)
  }

  /// Makes data of JSON in the types of `JSONSerialization` or in Swift's own types.
  ///
  /// - Parameters:
  ///   - jsonObject: The JSON object.
  ///   - variables: The variables of the operation, if it has fields with `@include` or `@skip`. The default is none.
  /// - Throws: ``ResponseDecodingError`` if the JSON does not fit the selection.
  public init(jsonObject: JSONObject, variables: Variables = .none) throws {
    var writer = __JSONWriter()
    writer.writeJSON(jsonObject.mapValues(FoundationJSON.import))
    self = try ResponseReader.readObject(Self.self, from: ResponseBytes(writer.bytes), variables: variables).data
  }
}

extension JSONScalar {
  /// Makes a value of a type that Foundation can decode.
  ///
  /// - Parameters:
  ///   - type: The type of the value. By default what the caller expects.
  ///   - decoder: How keys, dates and data are read. The default is a decoder with Foundation's defaults.
  /// - Returns: The value.
  /// - Throws: The `DecodingError` of the decoder.
  public func decoded<Value: Decodable>(
    as type: Value.Type = Value.self, by decoder: JSONDecoder = JSONDecoder()
  ) throws -> Value {
    try decoder.decode(type, from: Data(description.utf8))
  }
}

/// The numbers and the Booleans of `JSONSerialization`, as values of JSON.
extension NSNumber: __JSONWritable {
  /// Writes `true` or `false` for a Boolean, and a number for everything else.
  public func __write(to writer: inout __JSONWriter) { writer.writeJSON(FoundationJSON.import(self)) }
}

/// A number of `JSONSerialization`, which a scalar of Apollo iOS 1 may give as its value.
extension Decimal: __JSONNumberConvertible {
  /// The number with all of its digits; nil if it is not a number.
  public var __jsonNumber: JSONNumber? { isNaN ? nil : JSONNumber(text: description) }
}

/// The null of `JSONSerialization`.
extension NSNull: __JSONWritable {
  /// Writes null.
  public func __write(to writer: inout __JSONWriter) { writer.writeNull() }
}

/// Conversion between JSON in Swift's own types and in those of Foundation.
package enum FoundationJSON {
  /// A JSON value in the types of `JSONSerialization`.
  package static func export(_ value: JSONValue) -> JSONValue {
    switch value {
    case is JSONNull: NSNull()
    case let number as JSONNumber: self.number(number)
    case let object as JSONObject: object.mapValues(export)
    case let list as [JSONValue]: list.map(export)
    default: value
    }
  }

  /// The number in the type of JSONSerialization: the nearest one that Foundation has.
  static func number(_ number: JSONNumber) -> NSNumber {
    let text = number.description
    if let integer = Int64(text) { return NSNumber(value: integer) }
    if let integer = UInt64(text) { return NSNumber(value: integer) }
    let decimal = NSDecimalNumber(string: text, locale: Locale(identifier: "en_US_POSIX"))
    if decimal != .notANumber { return decimal }
    let largest = Double.greatestFiniteMagnitude
    return NSNumber(value: min(max(Double(text) ?? 0, -largest), largest))
  }

  static func `import`(_ value: JSONValue) -> JSONValue {
    switch value {
    case is NSNull: return JSONNull()
    // (It can be cast to an NSNumber, which may have fewer digits.)
    case is JSONNumber: return value
    // Every number and every Boolean of JSONSerialization is an NSNumber, and those of Swift can be cast to one.
    case let number as NSNumber: return `import`(number)
    case let object as JSONObject: return object.mapValues(`import`)
    case let list as [JSONValue]: return list.map(`import`)
    default: return value
    }
  }

  fileprivate static func `import`(_ number: NSNumber) -> JSONValue {
    // There is one object for true and one for false. By its type, a Boolean could be an Int8 as well.
    if number === NSNumber(value: true) { return true }
    if number === NSNumber(value: false) { return false }
    if let number = number as? NSDecimalNumber {
      return number == .notANumber ? Double.nan : JSONNumber(text: number.description(withLocale: nil))
    }
    switch String(cString: number.objCType) {
    case "d": return number.doubleValue
    case "f": return Float(number.doubleValue)
    case "Q": return integer(number.uint64Value)
    default: return integer(number.int64Value)
    }
  }

  private static func integer(_ value: some FixedWidthInteger) -> JSONValue {
    Int(exactly: value) ?? JSONNumber(text: String(value)) as JSONValue
  }
}
