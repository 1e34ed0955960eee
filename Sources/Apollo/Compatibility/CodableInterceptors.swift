public import ApolloAPI
public import ApolloCache
public import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// Operations whose data is `Decodable`, and is read by a decoder of the user's choice in place of this library's reader.

/// A decoder of any kind. It is used on any thread.
public protocol FlexibleDecoder {
  associatedtype Input
  func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T
}

extension JSONDecoder: FlexibleDecoder {
  public typealias Input = Data
}

extension PropertyListDecoder: FlexibleDecoder {
  public typealias Input = Data
}

/// What a decoder of the app's may throw in an initializer of ``Parseable``. This package throws none of them.
public enum ParseableError: LocalizedError {
  case unexpectedType
  case unsupportedInitializer
  case notYetImplemented

  public var errorDescription: String? {
    switch self {
    case .unexpectedType: "The value is of another type than expected."
    case .unsupportedInitializer: "The type cannot be made with this initializer."
    case .notYetImplemented: "This is not implemented yet."
    }
  }
}

/// What any decoder can make of the bytes of a response.
public protocol Parseable {
  init<T: FlexibleDecoder>(from data: Data, decoder: T) throws
}

extension Parseable where Self: Decodable {
  public init<T: FlexibleDecoder>(from data: Data, decoder: T) throws {
    self = try decoder.decode(Self.self, from: data)
  }
}

/// Data of an operation that is written by hand as a `Codable` struct.
///
///     struct HeroQuery: GraphQLQuery {
///       struct Data: CodableSelectionSet { var hero: Hero }
///       …
///     }
///
/// A ``CodableInterceptorProvider`` reads it with a decoder of your choice; every other provider with `JSONDecoder`, without
/// the cache knowing its objects.
public protocol CodableSelectionSet: SelectionSet, Codable {}

extension CodableSelectionSet {
  public static var __fields: FieldTable { FieldTable(version: 1, "") }

  public static func read(from reader: inout ObjectReader) throws(ReadError) -> Self {
    let json = try reader.rawJSON()
    do {
      return try JSONDecoder().decode(Self.self, from: Data(json.utf8))
    } catch {
      throw reader.scalarFailure(error)
    }
  }

  public init(__reading object: inout ObjectReader) throws(ReadError) { self = try Self.read(from: &object) }

  public func __writeFields(to writer: inout JSONWriter) {}

  public func write(to writer: inout JSONWriter) {
    guard let data = try? JSONEncoder().encode(self) else { return writer.writeNull() }
    writer.writeRaw(data)
  }
}

/// Interceptors for operations whose data is `Decodable`. There is no cache among them.
open class CodableInterceptorProvider<FlexDecoder: FlexibleDecoder>: InterceptorProvider {
  private let client: URLSessionClient
  private let shouldInvalidateClientOnDeinit: Bool
  private let decoder: FlexDecoder

  /// - Parameter store: Not used: only this library's own reader makes records.
  public init(
    client: URLSessionClient = URLSessionClient(), shouldInvalidateClientOnDeinit: Bool = true,
    store: ApolloStore = ApolloStore(), decoder: FlexDecoder
  ) {
    self.client = client
    self.shouldInvalidateClientOnDeinit = shouldInvalidateClientOnDeinit
    self.decoder = decoder
  }

  deinit {
    if shouldInvalidateClientOnDeinit { client.invalidate() }
  }

  open func interceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any ApolloInterceptor] {
    [
      MaxRetryInterceptor(),
      NetworkFetchInterceptor(client: client),
      ResponseCodeInterceptor(),
      CodableParsingInterceptor(decoder: decoder),
      AutomaticPersistedQueryInterceptor(),
    ]
  }

  open func additionalErrorInterceptor<Operation: GraphQLOperation>(
    for operation: Operation
  ) -> (any ApolloErrorInterceptor)? { nil }
}

/// Reads the body with a decoder, and throws what the decoder throws.
public struct CodableParsingInterceptor<FlexDecoder: FlexibleDecoder>: ChainStep {
  public enum CodableParsingError: ApolloError {
    case noResponseToParse
    /// The operation's data is not `Decodable`.
    case dataIsNotDecodable(type: String)

    public var code: ApolloErrorCode { .configuration }

    public var message: String {
      switch self {
      case .noResponseToParse: "There is no response to parse: an interceptor that fetches it must come before."
      case .dataIsNotDecodable(let type): "\(type) is not Decodable: use DefaultInterceptorProvider for generated code."
      }
    }
  }

  private let decoder: Handoff<FlexDecoder>

  public init(decoder: FlexDecoder) { self.decoder = Handoff(decoder) }

  package func intercept<Operation: GraphQLOperation>(
    request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?
  ) async throws -> NextStep<Operation> {
    guard let response else { throw CodableParsingError.noResponseToParse }
    guard let type = Operation.Data.self as? any Decodable.Type else {
      throw CodableParsingError.dataIsNotDecodable(type: "\(Operation.Data.self)")
    }
    let (data, errors, extensions) = try decode(type, response.body)
    response.parsedResponse = GraphQLResult(
      data: data as? Operation.Data, extensions: extensions, errors: errors, source: .server)
    return .proceed(response)
  }

  private func decode<T: Decodable>(_ type: T.Type, _ data: Data) throws -> (T?, [GraphQLError]?, JSONObject?) {
    let response = try decoder.value.decode(DecodedResponse<T>.self, from: data)
    guard response.data != nil || response.errors != nil else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: [], debugDescription: "The response has neither data nor errors."))
    }
    let errors = response.errors?.map { GraphQLError($0.object) }
    return (response.data, errors, response.extensions?.object)
  }
}

private struct DecodedResponse<T: Decodable>: Decodable {
  var data: T?
  var errors: [DecodedJSON]?
  var extensions: DecodedJSON?
}

/// Any JSON value, from any decoder.
private struct DecodedJSON: Decodable {
  let value: JSONValue

  var object: JSONObject { value as? JSONObject ?? ["message": value] }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      value = JSONNull()
    } else if let bool = try? container.decode(Bool.self) {
      value = bool
    } else if let int = try? container.decode(Int.self) {
      value = int
    } else if let double = try? container.decode(Double.self) {
      value = double
    } else if let string = try? container.decode(String.self) {
      value = string
    } else if let list = try? container.decode([DecodedJSON].self) {
      value = list.map(\.value)
    } else {
      value = try container.decode([String: DecodedJSON].self).mapValues(\.value)
    }
  }
}
