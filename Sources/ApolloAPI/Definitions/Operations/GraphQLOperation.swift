/// The three kinds of operation (GraphQL specification, section 2.3).
public enum GraphQLOperationType: String, Hashable, Sendable, CaseIterable {
  case query, mutation, subscription
}

/// The GraphQL text of an operation, and the identifier by which a server may know it.
public struct OperationDocument: Sendable {
  /// The operation alone, without the fragments it spreads; empty if the code was generated with identifiers only.
  public let operation: StaticString
  /// The definitions of all fragments that it spreads, directly or not, sorted by name.
  public let fragments: [StaticString]
  /// The SHA-256 of ``text`` in hexadecimal digits; nil if the code was generated without identifiers.
  public let operationIdentifier: String?

  /// Makes a document.
  ///
  /// - Parameters:
  ///   - operation: The text of the operation without fragments.
  ///   - fragments: The definitions of all fragments that it spreads, sorted by name. The default is none.
  ///   - operationIdentifier: The SHA-256 of the text in hexadecimal digits. nil, the default: none.
  public init(_ operation: StaticString, fragments: [StaticString] = [], operationIdentifier: String? = nil) {
    self.operation = operation
    self.fragments = fragments
    self.operationIdentifier = operationIdentifier
  }

  /// Makes a document that the server knows by its identifier, and whose text the app does not have.
  public init(operationIdentifier: String) {
    self.init("", operationIdentifier: operationIdentifier)
  }

  /// The text that is sent to the server: the operation and its fragments. Empty if there is only an identifier.
  public var text: String {
    fragments.reduce(into: operation.description) { $0 += "\n" + $1.description }
  }
}

/// An operation with its variables. Conforming types are generated. Two operations of one type are equal if their
/// variables are sent as equal JSON.
public protocol GraphQLOperation: Sendable, Hashable, __HandWrittenVariables {
  associatedtype Data: SelectionSet
  /// How the server answers it, for generic functions as of Apollo iOS 2. The default is one response.
  associatedtype ResponseFormat: OperationResponseFormat = SingleResponseFormat

  /// Whether it is a query, a mutation or a subscription.
  static var operationType: GraphQLOperationType { get }
  /// The name of the operation in the document.
  static var operationName: String { get }
  /// The text of the operation, and its identifier.
  static var operationDocument: OperationDocument { get }

  /// Whether the document has `@defer`, so that the server may answer in parts. The default is false.
  static var hasDeferredFragments: Bool { get }

  /// What directives on its fields say of lists in the cache. The default is nothing.
  var __listEdits: [__ListEdit] { get }
  /// Whether it selects local fields, with `@client`. Generated code implements it.
  static var __hasLocalFields: Bool { get }

  /// Writes the variables that have a value.
  func __writeVariables(to writer: inout __JSONWriter)
}

extension GraphQLOperation {
  /// False.
  public static var hasDeferredFragments: Bool { false }

  /// None.
  public var __listEdits: [__ListEdit] { [] }
  /// False: it selects no local fields.
  public static var __hasLocalFields: Bool { false }

  /// The values of the variables, as JSON. Variables without a value are absent.
  public var variables: Variables { Variables { __writeVariables(to: &$0) } }

  /// Compares the variables as JSON.
  public static func == (a: Self, b: Self) -> Bool { a.variables == b.variables }

  /// Feeds the variables as JSON into a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(variables) }
}

/// A query: an operation that reads. Conforming types are generated.
public protocol GraphQLQuery: GraphQLOperation {}

extension GraphQLQuery {
  /// ``GraphQLOperationType/query``.
  public static var operationType: GraphQLOperationType { .query }
}

/// A mutation: an operation that changes data on the server. Conforming types are generated.
public protocol GraphQLMutation: GraphQLOperation {}

extension GraphQLMutation {
  /// ``GraphQLOperationType/mutation``.
  public static var operationType: GraphQLOperationType { .mutation }
}

/// A subscription: an operation whose results are events. Conforming types are generated.
public protocol GraphQLSubscription: GraphQLOperation {
  /// How the server answers it. The default is a response for each event.
  associatedtype ResponseFormat = SubscriptionResponseFormat
}

extension GraphQLSubscription {
  /// ``GraphQLOperationType/subscription``.
  public static var operationType: GraphQLOperationType { .subscription }
}

/// A selection that is read from the cache, changed and written back. Conforming types are generated from operations
/// with `@apollo_client_ios_localCacheMutation`, which are never sent to a server. Two of one type are equal if their
/// variables are.
public protocol LocalCacheMutation: Sendable, Hashable, __HandWrittenVariables {
  associatedtype Data: SelectionSet

  /// The root object of the cache at which the selection begins: that of queries, mutations or subscriptions.
  static var operationType: GraphQLOperationType { get }

  /// Writes the variables that have a value.
  func __writeVariables(to writer: inout __JSONWriter)
}

extension LocalCacheMutation {
  /// The values of the variables, as JSON. Variables without a value are absent.
  public var variables: Variables { Variables { __writeVariables(to: &$0) } }

  /// Compares the variables as JSON.
  public static func == (a: Self, b: Self) -> Bool { a.variables == b.variables }

  /// Feeds the variables as JSON into a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(variables) }
}
