import ApolloAPI
import GraphQLExecution

/// The subscriptions that are under way, by the name of their field.
final class EventSources: Sendable {
  private struct Subscriber {
    var field: String
    var arguments: GraphQLValue.Object
    var continuation: AsyncStream<GraphQLValue>.Continuation
  }

  private struct State {
    var subscribers: [Int: Subscriber] = [:]
    var waiting: [Int: (field: String, count: Int, continuation: CheckedContinuation<Void, Never>)] = [:]
    var cancelled: Set<Int> = []
    var last = 0

    mutating func number() -> Int {
      last += 1
      return last
    }

    func count(_ field: String) -> Int { subscribers.values.count { $0.field == field } }
  }

  private let state = Locked(State())

  /// The events of a field, which end when nothing listens any more.
  func events(of field: String, _ arguments: GraphQLValue.Object) -> (
    stream: AsyncStream<GraphQLValue>, continuation: AsyncStream<GraphQLValue>.Continuation
  ) {
    let (stream, continuation) = AsyncStream<GraphQLValue>.makeStream()
    let (number, ready) = state.withLock { state in
      let number = state.number()
      state.subscribers[number] = Subscriber(field: field, arguments: arguments, continuation: continuation)
      let ready = state.waiting.filter { $0.value.field == field && $0.value.count <= state.count(field) }
      for key in ready.keys { state.waiting[key] = nil }
      return (number, ready.values.map(\.continuation))
    }
    continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.subscribers[number] = nil } }
    for waiter in ready { waiter.resume() }
    return (stream, continuation)
  }

  /// Gives an event to all subscribers of a field whose arguments are accepted.
  ///
  /// - Returns: How many there were.
  func publish(_ field: String, _ event: GraphQLValue, _ accepts: (GraphQLValue.Object) -> Bool) -> Int {
    let all = state.withLock { state in
      state.subscribers.sorted { $0.key < $1.key }.map(\.value).filter { $0.field == field }
    }
    let continuations = all.filter { accepts($0.arguments) }.map(\.continuation)
    for continuation in continuations { continuation.yield(event) }
    return continuations.count
  }

  /// Waits until so many subscriptions of a field are under way, or the task is cancelled.
  func untilSubscribed(_ field: String, _ count: Int) async {
    let number = state.withLock { $0.number() }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isReady = state.withLock { state in
          let isReady = state.count(field) >= count || state.cancelled.remove(number) != nil
          if !isReady { state.waiting[number] = (field, count, continuation) }
          return isReady
        }
        if isReady { continuation.resume() }
      }
    } onCancel: {
      let waiting = state.withLock { state in
        let waiting = state.waiting.removeValue(forKey: number)
        if waiting == nil { state.cancelled.insert(number) }
        return waiting?.continuation
      }
      waiting?.resume()
    }
  }
}
