public import GraphQLSyntax

/// An operation, ready to become a type.
public struct Operation: Sendable, Equatable {
  public enum Kind: String, Sendable {
    case query, mutation, subscription
  }

  public var name: String
  public var kind: Kind
  /// The operation changes models in the cache and is never sent.
  public var isLocalCacheMutation: Bool
  public var variables: [Variable]
  /// What is selected at the root.
  public var shape: Shape
  public var document: DocumentText
  public var description: String?
  /// The modules of `@import`.
  public var importedModules: [String]
  /// The text it was written in.
  public var source: Source.ID
}

/// A variable of an operation.
public struct Variable: Sendable, Equatable {
  public var name: String
  public var type: ValueType
  public var defaultValue: ConstantValue?
}

/// A named fragment, ready to become a type.
public struct Fragment: Sendable, Equatable {
  public var name: String
  public var typeCondition: String
  public var shape: Shape
  /// Its definition on one line.
  public var definition: String
  public var description: String?
  /// The modules of `@import`.
  public var importedModules: [String]
  /// The text it was written in.
  public var source: Source.ID
}

/// What is sent for an operation.
public struct DocumentText: Sendable, Equatable {
  /// The operation on one line.
  public var operation: String
  /// The names of all fragments it spreads, directly or not, sorted.
  public var fragmentNames: [String]
  /// The definitions of these fragments, each on one line.
  public var fragments: [String]
  /// There is `@defer` or `@stream` in it, so that the server may answer in parts.
  public var isIncremental: Bool

  /// The whole document: what is sent, and what an operation's identifier is the hash of.
  public var text: String { ([operation] + fragments).joined(separator: "\n") }

  /// The SHA-256 of the text in lower-case hexadecimal digits, by which servers may know it.
  public var identifier: String { SHA256.hexadecimal(text) }
}
