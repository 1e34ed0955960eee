public import Apollo
public import ApolloOutbox
public import Foundation
public import Observation

/// What is in the outbox of a client, for a screen that shows what waits to be sent and what was given up.
///
///     let outbox = OutboxState(client: client)
///
///     ForEach(outbox.failed) { mutation in
///       Button("Send \(mutation.operationName) again") { Task { await outbox.retry(mutation.id) } }
///     }
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
@MainActor @Observable
public final class OutboxState {
  /// The mutations that are not answered, in their order.
  public private(set) var pending: [Outbox.Entry] = []
  /// The mutations that were given up. They stay until they are sent again or discarded.
  public private(set) var failed: [Outbox.Entry] = []
  /// Whether nothing is sent until ``resume()``.
  public private(set) var isPaused = false
  /// Whether there is a network, as far as it is known.
  public private(set) var isOnline = true
  /// How many mutations are not answered. It is known before ``pending`` is.
  public private(set) var count: Int

  @ObservationIgnored private let outbox: Outbox?
  @ObservationIgnored private var task: Task<Void, Never>?

  /// Makes a state, which begins at once.
  ///
  /// - Parameter client: Has the outbox. nil: the state is empty.
  public init(client: ApolloClient?) {
    outbox = client?.outbox
    count = outbox?.count ?? 0
    guard let statuses = outbox?.statuses else { return }
    task = Task { [weak self] in
      for await status in statuses { self?.show(status) }
    }
  }

  deinit { task?.cancel() }

  private func show(_ status: Outbox.Status) {
    // (Observers of a property are told of each assignment.)
    if !pending.isEmpty || !status.pending.isEmpty { pending = status.pending }
    if !failed.isEmpty || !status.failed.isEmpty { failed = status.failed }
    if isPaused != status.isPaused { isPaused = status.isPaused }
    if isOnline != status.isOnline { isOnline = status.isOnline }
    if count != status.pending.count { count = status.pending.count }
  }

  // MARK: What a screen does

  /// Sends a mutation again that was given up, at its old place among the others.
  ///
  /// - Parameter id: The mutation.
  /// - Returns: False if it was not given up, or if the app no longer has its operation.
  @discardableResult public func retry(_ id: UUID) async -> Bool { await outbox?.retry(id) ?? false }

  /// Sends all mutations again that were given up, in their order.
  public func retryAll() async {
    guard let outbox else { return }
    // (What it shows may not be there yet.)
    for entry in await outbox.failed { await outbox.retry(entry.id) }
  }

  /// Takes a mutation out of the outbox, whether it waits or was given up. What it shows in the cache is taken back.
  ///
  /// - Parameter id: The mutation.
  /// - Returns: False if it was answered already, or is not there.
  @discardableResult public func discard(_ id: UUID) async -> Bool { await outbox?.cancel(id) ?? false }

  /// Sends nothing more until ``resume()``. What is sent now is not interrupted.
  public func pause() async { await outbox?.pause() }

  /// Sends what waits.
  public func resume() async { await outbox?.resume() }
}
