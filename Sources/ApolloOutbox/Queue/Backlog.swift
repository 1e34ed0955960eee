import Foundation

/// What the storage of an outbox does not have yet, and the calls that wait for it.
struct Backlog {
  /// A call that waits until a change is kept.
  struct Waiter {
    /// The mutation that the change is about; nil: no single one.
    let id: UUID?
    let continuation: CheckedContinuation<(any Error)?, Never>
  }

  var change = Outbox.Change()
  var waiters: [Waiter] = []
  /// The mutations whose callers wait until they are kept. If that fails, they are not tried again.
  var adding: Set<UUID> = []
  /// How many mutations have their files copied now.
  var keeping = 0
  /// The calls that wait until no files are copied.
  var keepWaiters: [CheckedContinuation<Void, Never>] = []
  var isWriting = false
  /// Nothing more is written.
  var isClosed = false
  /// The calls that wait until nothing is written.
  var endWaiters: [CheckedContinuation<Void, Never>] = []
  var retries = 0
  /// Writes what is left after a while; nil: nothing is left.
  var retry: Task<Void, Never>?

  init(owner: String?) { change.owner = owner }
}
