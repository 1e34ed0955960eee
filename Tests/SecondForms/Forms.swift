public import ApolloAPI
public import Foundation

// Types of Foundation that a module of a program makes scalars, in other forms than another module of it does.

extension TimeZone: JSONDecodable, JSONEncodable {
  public init(jsonValue value: JSONValue) throws {
    guard let seconds = value as? Int, let zone = TimeZone(secondsFromGMT: seconds) else {
      throw JSONDecodingError.couldNotConvert(value: value, to: TimeZone.self)
    }
    self = zone
  }

  public var jsonValue: JSONValue { secondsFromGMT() }
}

/// Here it can only be read.
extension Locale: JSONDecodable {
  public init(jsonValue value: JSONValue) throws {
    guard let names = value as? JSONObject, let language = names["language"] as? String else {
      throw JSONDecodingError.couldNotConvert(value: value, to: Locale.self)
    }
    self.init(identifier: language)
  }
}

/// `{ place { zone } }`
public struct Place: SelectionSet {
  public var zone: TimeZone

  public static let __fields = __FieldTable(version: 1, "zone")

  public init(__reading object: inout __ObjectReader) throws(__ReadError) { zone = try object.read(0) }
  public func __writeFields(to writer: inout __JSONWriter) { writer.write(0, zone) }
}

/// `{ place { locale } }`
public struct Country: SelectionSet {
  public var locale: Locale

  public static let __fields = __FieldTable(version: 1, "locale")

  public init(__reading object: inout __ObjectReader) throws(__ReadError) { locale = try object.read(0) }
  public func __writeFields(to writer: inout __JSONWriter) { writer.write(0, locale) }
}

/// `query Places($zone: TimeZone, $zones: [TimeZone!] = [])`
public struct PlacesQuery: GraphQLQuery {
  public static let operationName = "Places"
  public static let operationDocument = OperationDocument("query Places { place { zone } }")

  public typealias Data = Place

  public var zone: GraphQLNullable<TimeZone>
  public var zones: GraphQLNullable<[TimeZone]>

  public init(zone: GraphQLNullable<TimeZone>, zones: GraphQLNullable<[TimeZone]>) {
    self.zone = zone
    self.zones = zones
  }

  public func __writeVariables(to writer: inout __JSONWriter) {
    writer.write("zone", zone)
    writer.write("zones", zones, default: [])
  }
}
