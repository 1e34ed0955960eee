public import ApolloTransport
import Foundation

/// What a state has to show.
///
/// It is told by the data alone, and not by what is going on: see ``FetchStatus``.
public enum DataState: Sendable, Hashable {
  /// There is no data.
  case empty
  /// Some of the data is missing: the cache does not have it, or a deferred fragment has failed.
  case partial
  /// The data is there but for deferred fragments, which the server is still sending.
  case streaming
  /// All of the data is there.
  case complete
}

/// What a state is doing.
public enum FetchStatus: Sendable, Hashable {
  /// Nothing.
  case idle
  /// It is asking for data.
  case fetching
  /// It wants data, and waits for a network, or until it is in sight. It asks by itself then.
  case paused
}

/// What a screen shows: a summary of a state, without its details.
public enum Phase<Data> {
  /// Nothing was asked for, because the state is turned off.
  case none
  /// There is no data yet.
  case loading
  /// There is no data, and there will be none before there is a network, or before the state is in sight.
  case waiting
  /// There is no data, and this error is the reason.
  case failed(any Error)
  /// There is data. Whether it is being asked for anew, or an error came after it, does not matter here.
  case content(Data)
}

extension Phase: Sendable where Data: Sendable {}

extension Phase {
  /// The data, if there is some.
  public var data: Data? { if case .content(let data) = self { data } else { nil } }
  /// Why there is no data; nil if there is some, or another reason for it.
  public var error: (any Error)? { if case .failed(let error) = self { error } else { nil } }
}

/// Why a state cannot do what it is for.
public enum StateError: ApolloError, Hashable {
  /// The state was given no client.
  case noClient
  /// The state is turned off.
  case isSkipped

  /// The kind of this error: `ApolloErrorCode.configuration`.
  public var code: ApolloErrorCode { .configuration }

  /// What is missing, and what to do.
  public var message: String {
    switch self {
    case .noClient:
      """
      There is no client. Give the state one: QueryState(HeroQuery(), client: client); or give one to all views: \
      ContentView().apolloClient(client).
      """
    case .isSkipped: "The state is skipped. Set isSkipped to false, or ask the client: client.fetch(query:)."
    }
  }
}

/// Whether two values are equal, as far as their type can tell.
func areEqual<Value>(_ one: Value?, _ other: Value?) -> Bool {
  switch (one, other) {
  case (nil, nil): true
  case (let one?, let other?): (Value.self as? any Equatable.Type)?.areEqual(one, other) ?? false
  default: false
  }
}

extension Equatable {
  // (Both are values of this type. To find that out takes long for a value in a box.)
  fileprivate static func areEqual<Value>(_ one: Value, _ other: Value) -> Bool {
    guard let one = one as? Self, let other = other as? Self else { return false }
    return one == other
  }
}
