public import ApolloAPI
public import Foundation

// Types of Foundation that a module of a program makes scalars, in other forms than another module of it does.

extension TimeZone: JSONDecodable, JSONEncodable {
  public init(jsonValue value: JSONValue) throws {
    guard let name = value as? String, let zone = TimeZone(identifier: name) else {
      throw JSONDecodingError.couldNotConvert(value: value, to: TimeZone.self)
    }
    self = zone
  }

  public var jsonValue: JSONValue { identifier }
}

extension Locale: JSONDecodable, JSONEncodable {
  public init(jsonValue value: JSONValue) throws {
    guard let name = value as? String else {
      throw JSONDecodingError.couldNotConvert(value: value, to: Locale.self)
    }
    self.init(identifier: name)
  }

  public var jsonValue: JSONValue { identifier }
}

/// `{ place { zone } }`
public struct Place: SelectionSet {
  public var zone: TimeZone

  public static let __fields = __FieldTable(version: 1, "zone")

  public init(__reading object: inout __ObjectReader) throws(__ReadError) { zone = try object.read(0) }
  public func __writeFields(to writer: inout __JSONWriter) { writer.write(0, zone) }
}
