public import GraphQLExecution

/// Where a value of a mock is asked for. The functions that an app gives a ``MockSchema`` are called with it.
public struct MockContext: Sendable {
  /// The field with its type, such as `Query.hero`; for a function of a whole type, the name of the type.
  public let coordinate: String
  /// The type of the object that the field belongs to.
  public let typename: String
  /// The key of that object, such as `7`. Objects without a key have the place where they stand.
  public let key: String
  /// The arguments of the field, with defaults. Empty for a function of a whole type.
  public let arguments: GraphQLValue.Object
  /// The objects of the mock, to be read and changed.
  public let store: MockStore
  let place: String
  let seed: UInt64

  /// A number that depends on the seed and the place alone.
  ///
  /// - Parameter range: What the number may be.
  /// - Returns: The number.
  public func number(in range: ClosedRange<Int>) -> Int {
    var draw = Draw(seed, place)
    return draw.number(in: range)
  }

  /// An element of a list that depends on the seed and the place alone.
  ///
  /// - Parameter elements: The elements.
  /// - Returns: One of them; nil if there are none.
  public func element<Element>(of elements: [Element]) -> Element? {
    guard !elements.isEmpty else { return nil }
    var draw = Draw(seed, place)
    return draw.element(of: elements)
  }
}

/// What an app says of the values of a mock.
struct MockRules: Sendable {
  typealias Resolver = @Sendable (MockContext) throws -> GraphQLValue?

  struct TypeMock: Sendable {
    /// Tells what this function has returned from what others have, because copies of a schema share one store.
    var number: Int
    var members: @Sendable (MockContext) throws -> GraphQLValue.Object
  }

  struct Failure: Sendable {
    var message: String
    var every: Int
  }

  var seed: UInt64 = 1
  var resolvers: [String: Resolver] = [:]
  var types: [String: TypeMock] = [:]
  var scalars: [String: @Sendable (MockContext) throws -> GraphQLValue] = [:]
  /// By coordinate; that of all lists under the empty text.
  var lists: [String: ClosedRange<Int>] = ["": 2...2]
  var failures: [String: Failure] = [:]
  var nulls = 0.0
  /// By coordinate; that of all root fields under the empty text.
  var latencies: [String: Duration] = [:]
  var echoes = true
  /// Whether strings are words, and not what they are.
  var usesWords = false
  /// How often a subscription emits by itself, by coordinate.
  var rhythms: [String: Duration] = [:]
}
