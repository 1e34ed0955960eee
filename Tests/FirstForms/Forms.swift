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

/// A number of an app that gives itself as its JSON, as in Apollo iOS 1.
extension Decimal: CustomScalarType {
  public init(_jsonValue value: JSONValue) throws {
    guard let text = (value as? JSONNumber)?.description ?? value as? String, let number = Decimal(string: text) else {
      throw JSONDecodingError.couldNotConvert(value: value, to: Decimal.self)
    }
    self = number
  }

  public var _jsonValue: JSONValue { self }
}

/// A scalar of an app that holds one.
public struct Price: CustomScalarType, Hashable {
  public var decimal: Decimal

  public init(decimal: Decimal) { self.decimal = decimal }
  public init(_jsonValue value: JSONValue) throws { decimal = try Decimal(_jsonValue: value) }

  public var _jsonValue: JSONValue { decimal }
}

/// `query Prices($price: Decimal!, $cost: Price!)`
public struct PricesQuery: GraphQLQuery {
  public static let operationName = "Prices"
  public static let operationDocument = OperationDocument("query Prices { place { zone } }")

  public typealias Data = Place

  public var price: Decimal

  public init(price: Decimal) { self.price = price }

  public func __writeVariables(to writer: inout __JSONWriter) {
    writer.write("price", price)
    writer.write("cost", Price(decimal: price))
  }
}
