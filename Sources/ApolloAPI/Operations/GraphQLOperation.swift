public enum GraphQLOperationType: String, Hashable, Sendable, CaseIterable {
  case query, mutation, subscription
}

/// The GraphQL text of an operation, and its identifier if the server knows the text by one.
public struct OperationDocument: Sendable {
  /// The operation alone, without the fragments it spreads; empty if the code was generated with identifiers only.
  public let operation: StaticString
  /// The definitions of all fragments that it spreads, directly or not, sorted by name.
  public let fragments: [StaticString]
  /// The SHA-256 of ``text`` in hexadecimal digits; nil if the code was generated without identifiers.
  public let operationIdentifier: String?

  public init(_ operation: StaticString, fragments: [StaticString] = [], operationIdentifier: String? = nil) {
    self.operation = operation
    self.fragments = fragments
    self.operationIdentifier = operationIdentifier
  }

  /// A document that the server knows by its identifier, and whose text the app does not have.
  public init(operationIdentifier: String) {
    self.init("", operationIdentifier: operationIdentifier)
  }

  /// What is sent to the server; empty if there is only an identifier.
  public var text: String {
    fragments.reduce(into: operation.description) { $0 += "\n" + $1.description }
  }
}

/// An operation with its variables. Conforming types are generated. Two of one type are equal if the variables that they
/// send are.
public protocol GraphQLOperation: Sendable, Hashable {
  associatedtype Data: SelectionSet

  static var operationType: GraphQLOperationType { get }
  static var operationName: String { get }
  static var operationDocument: OperationDocument { get }

  /// The document has `@defer` or `@stream`: the server may answer in parts. False unless something else is said.
  static var hasDeferredFragments: Bool { get }

  /// Writes the variables that have a value.
  func __writeVariables(to writer: inout JSONWriter)
}

extension GraphQLOperation {
  public static var hasDeferredFragments: Bool { false }

  public func __writeVariables(to writer: inout JSONWriter) {}

  /// The variables that have a value.
  public var variables: Variables { Variables { __writeVariables(to: &$0) } }

  public static func == (a: Self, b: Self) -> Bool { a.variables == b.variables }

  public func hash(into hasher: inout Hasher) { hasher.combine(variables) }
}

public protocol GraphQLQuery: GraphQLOperation {}

extension GraphQLQuery {
  public static var operationType: GraphQLOperationType { .query }
}

public protocol GraphQLMutation: GraphQLOperation {}

extension GraphQLMutation {
  public static var operationType: GraphQLOperationType { .mutation }
}

public protocol GraphQLSubscription: GraphQLOperation {}

extension GraphQLSubscription {
  public static var operationType: GraphQLOperationType { .subscription }
}

/// Models that are read from the cache, changed and written back. Conforming types are generated from operations with
/// `@apollo_client_ios_localCacheMutation`, which are never sent to a server. Two of one type are equal if their variables
/// are.
public protocol LocalCacheMutation: Sendable, Hashable {
  associatedtype Data: SelectionSet

  /// At which root of the cache it begins.
  static var operationType: GraphQLOperationType { get }

  /// Writes the variables that have a value.
  func __writeVariables(to writer: inout JSONWriter)
}

extension LocalCacheMutation {
  public func __writeVariables(to writer: inout JSONWriter) {}

  /// The variables that have a value.
  public var variables: Variables { Variables { __writeVariables(to: &$0) } }

  public static func == (a: Self, b: Self) -> Bool { a.variables == b.variables }

  public func hash(into hasher: inout Hasher) { hasher.combine(variables) }
}
