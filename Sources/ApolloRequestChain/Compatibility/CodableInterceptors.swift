public import ApolloHTTP
package import ApolloOperations
public import ApolloTransport
public import ApolloAPI
public import ApolloCache
public import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// Operations whose data is `Decodable`: a decoder that the app chooses reads it, in place of this library's reader.

/// A decoder that reads `Data`, such as `JSONDecoder`. It is used on any thread.
public protocol FlexibleDecoder {
  /// What the decoder reads. Nothing in this package uses it.
  associatedtype Input
  /// Decodes a value.
  ///
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - data: The encoded value.
  /// - Returns: The value.
  /// - Throws: What the decoder throws for data that it cannot read.
  func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T
}

extension JSONDecoder: FlexibleDecoder {
  /// What the decoder reads.
  public typealias Input = Data
}

extension PropertyListDecoder: FlexibleDecoder {
  /// What the decoder reads.
  public typealias Input = Data
}

/// What a decoder of the app's may throw in an initializer of ``Parseable``. This package throws none of them.
public enum ParseableError: LocalizedError {
  /// The value has another type than expected.
  case unexpectedType
  /// The type cannot be made with this initializer.
  case unsupportedInitializer
  /// For an app's own decoder, which throws it where a type lacks the initializer that a body needs.
  case notYetImplemented

  /// A description of the error in English.
  public var errorDescription: String? {
    switch self {
    case .unexpectedType: "The value is of another type than expected."
    case .unsupportedInitializer: "The type cannot be made with this initializer."
    case .notYetImplemented: "This is not implemented yet."
    }
  }
}

/// A type that can be made of the bytes of a response by any decoder.
public protocol Parseable {
  /// Decodes a value.
  ///
  /// - Parameters:
  ///   - data: The encoded value.
  ///   - decoder: Reads it.
  /// - Throws: What the decoder throws for data that it cannot read.
  init<T: FlexibleDecoder>(from data: Data, decoder: T) throws
}

extension Parseable where Self: Decodable {
  /// Decodes a value of a `Decodable` type.
  ///
  /// - Parameters:
  ///   - data: The encoded value.
  ///   - decoder: Reads it.
  /// - Throws: What the decoder throws for data that it cannot read.
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
/// A ``CodableInterceptorProvider`` reads the data with the decoder that it was given. Every other provider reads it
/// with `JSONDecoder`; the cache then keeps the data as one value and does not know its objects.
public protocol CodableSelectionSet: SelectionSet, Codable {}

extension CodableSelectionSet {
  /// The fields that the reader looks for: none, because a decoder reads the data.
  public static var __fields: __FieldTable { __FieldTable(version: 1, "") }

  /// Reads the JSON object of the data with `JSONDecoder`.
  ///
  /// - Parameter reader: Stands at the object.
  /// - Returns: The decoded data.
  /// - Throws: A `__ReadError` if the object cannot be decoded.
  public static func __read(from reader: inout __ObjectReader) throws(__ReadError) -> Self {
    let json = try reader.rawJSON()
    do {
      return try JSONDecoder().decode(Self.self, from: Data(json.utf8))
    } catch {
      throw reader.scalarFailure(error)
    }
  }

  /// Reads the JSON object of the data with `JSONDecoder`.
  ///
  /// - Parameter object: Stands at the object.
  /// - Throws: A `__ReadError` if the object cannot be decoded.
  public init(__reading object: inout __ObjectReader) throws(__ReadError) { self = try Self.__read(from: &object) }

  /// Writes no fields: ``write(to:)`` writes the whole object.
  public func __writeFields(to writer: inout __JSONWriter) {}

  /// Writes the data as `JSONEncoder` encodes it, or null if it cannot be encoded.
  public func __write(to writer: inout __JSONWriter) {
    guard let data = try? JSONEncoder().encode(self) else { return writer.writeNull() }
    writer.writeRaw(data)
  }
}

/// Makes the interceptors for operations whose data is `Decodable`. None of them uses a cache.
open class CodableInterceptorProvider<FlexDecoder: FlexibleDecoder>: InterceptorProvider {
  private let client: URLSessionClient
  private let shouldInvalidateClientOnDeinit: Bool
  private let decoder: FlexDecoder

  /// Makes a provider.
  ///
  /// - Parameters:
  ///   - client: Sends the requests.
  ///   - shouldInvalidateClientOnDeinit: Whether the client is invalidated when the provider is released. The default
  ///     is true.
  ///   - store: Not used: only this library's own reader makes records for a cache.
  ///   - decoder: Reads the bodies of responses.
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

/// Reads the body of a response with a decoder, and fails with the error that the decoder throws.
public struct CodableParsingInterceptor<FlexDecoder: FlexibleDecoder>: HTTPStep, StepInterceptor {
  /// Why a body cannot be parsed.
  public enum CodableParsingError: ApolloError {
    /// No interceptor before this one has fetched a response.
    case noResponseToParse
    /// The operation's data is not `Decodable`, as in generated code.
    case dataIsNotDecodable(type: String)

    /// The kind of this error: ``ApolloErrorCode/configuration``.
    public var code: ApolloErrorCode { .configuration }

    /// One sentence that says what went wrong.
    public var message: String {
      switch self {
      case .noResponseToParse: "There is no response to parse: an interceptor that fetches it must come before."
      case .dataIsNotDecodable(let type): "\(type) is not Decodable: use DefaultInterceptorProvider for generated code."
      }
    }
  }

  // Safe: an app's object (see Handoff).
  nonisolated(unsafe) private let decoder: FlexDecoder

  /// Makes an interceptor.
  ///
  /// - Parameter decoder: Reads the bodies of responses.
  public init(decoder: FlexDecoder) { self.decoder = decoder }

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
    let response = try decoder.decode(DecodedResponse<T>.self, from: data)
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
