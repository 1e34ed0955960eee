import Apollo
import Foundation

// Types of Foundation that an app makes scalars by itself. (Both are written as ApolloFoundation writes them, because one
// program has the tests of all modules.)

// As the page on custom scalars of Apollo iOS 1 and 2 has it.
nonisolated extension Foundation.UUID: CustomScalarType {
  public init(_jsonValue value: JSONValue) throws {
    guard let text = value as? String, let uuid = UUID(uuidString: text) else {
      throw JSONDecodingError.couldNotConvert(value: value, to: Foundation.UUID.self)
    }
    self = uuid
  }

  public var _jsonValue: JSONValue { uuidString.lowercased() }
}

// As apps of Apollo iOS 0.x do it.
nonisolated extension URL: JSONDecodable, JSONEncodable {
  public init(jsonValue value: JSONValue) throws {
    guard let url = URL(string: try String(jsonValue: value)) else {
      throw JSONDecodingError.couldNotConvert(value: value, to: URL.self)
    }
    self = url
  }

  public var jsonValue: JSONValue { absoluteString }
}

/// What is generated for `query A($url: URI, $urls: [URI!] = [])`.
public nonisolated func writeOwnScalars(
  _ url: GraphQLNullable<URL>, _ urls: GraphQLNullable<[URL]>, to writer: inout __JSONWriter
) {
  writer.write("url", url)
  writer.write("urls", urls, default: [])
}

public nonisolated func readOwnScalars(_ uuid: JSONValue, _ url: JSONValue) throws -> (UUID, URL) {
  (try UUID(_jsonValue: uuid), try URL(_jsonValue: url))
}
