import ApolloDigest
public import ApolloDirectives
public import GraphQLSyntax

/// An operation with everything that its generated type needs.
public struct Operation: Sendable, Equatable {
  /// The three kinds of operation.
  public enum Kind: String, Sendable {
    case query, mutation, subscription
  }

  /// The name of the operation in the document.
  public var name: String
  /// Whether it is a query, a mutation or a subscription.
  public var kind: Kind
  /// Whether it is a local cache mutation, which is never sent.
  public var isLocalCacheMutation: Bool
  /// The variables, in the order of the document.
  public var variables: [Variable]
  /// The selections on the root object.
  public var shape: Shape
  /// What its fields do to lists of the cache.
  public var listDirectives: [ListDirective]
  /// Whether it selects local fields, with `@client`.
  public var hasLocalFields: Bool
  /// The text that is sent.
  public var document: DocumentText
  /// The description before the operation; nil if there is none.
  public var description: String?
  /// The modules that the directive `@import` names.
  public var importedModules: [String]
  /// The source with the operation.
  public var source: Source.ID
}

/// A variable of an operation.
public struct Variable: Sendable, Equatable {
  /// The name of the variable without its `$`.
  public var name: String
  /// The type of the variable.
  public var type: ValueType
  /// The default value; nil if there is none.
  public var defaultValue: ConstantValue?
  /// Whether it is for the client only, so that it is not sent.
  public var isLocal = false
  /// The description in the document; nil if there is none.
  public var description: String?
}

/// A named fragment with everything that its generated type needs.
public struct Fragment: Sendable, Equatable {
  /// The name of the fragment in the document.
  public var name: String
  /// The type for which the fragment holds.
  public var typeCondition: String
  /// Whether it is for the cache only, as the operations are that are local cache mutations.
  public var isLocalCacheMutation: Bool
  /// The selections of the fragment.
  public var shape: Shape
  /// The variables of the fragment; nil if it has none.
  public var variables: OwnVariables?
  /// The definition in GraphQL, on one line.
  public var definition: String
  /// The description before the fragment; nil if there is none.
  public var description: String?
  /// The modules that the directive `@import` names.
  public var importedModules: [String]
  /// The source with the fragment.
  public var source: Source.ID
}

/// The variables that a fragment declares.
public struct OwnVariables: Sendable, Equatable {
  /// The default values in canonical form, such as `size:10`; empty if there are none.
  public var defaults: String
  /// The names of the variables without a default value.
  public var others: [String]
}

/// The text that is sent for an operation.
public struct DocumentText: Sendable, Equatable {
  /// The text of the operation, on one line.
  public var operation: String
  /// The names of all fragments that the operation spreads, directly or not, sorted.
  public var fragmentNames: [String]
  /// The definitions of these fragments, each on one line.
  public var fragments: [String]
  /// Whether the text has `@defer` or `@stream`, so that the server may answer in parts.
  public var isIncremental: Bool

  /// The whole text: it is sent, and the operation's identifier is its hash.
  public var text: String { ([operation] + fragments).joined(separator: "\n") }

  /// The SHA-256 of the text in hexadecimal digits in lower case, by which a server may know it.
  public var identifier: String { SHA256.hexadecimal(text) }
}
