import ApolloAPI
import Foundation

#if !canImport(Darwin)
  /// The queue on which a session calls its delegate, one call after the other.
  ///
  /// A session only ever adds blocks. Foundation on Linux makes an operation of each, with five locks and a thread's
  /// awakening more than a dispatch queue needs, for every piece of every response. (Operations still work as usual.)
  ///
  /// Only so many blocks wait. libcurl unpacks a thousand pieces of a body from one read of its socket, and goes on
  /// unpacking while a task is being cancelled; without a limit, all of that would be in memory. So it is Foundation's
  /// thread that waits, and never one of the app's.
  final class DelegateQueue: OperationQueue, @unchecked Sendable {
    // Unchecked, as its superclass is; the members are Sendable and never change.

    private let queue = DispatchQueue(label: "apollo.session-delegate")
    private let room = DispatchSemaphore(value: 128)
    /// Whether a block did not end in time: it may wait for Foundation's thread itself. Then that must not wait.
    private let isUnlimited = Locked(false)

    override func addOperation(_ block: @escaping @Sendable () -> Void) {
      guard !isUnlimited.withLock({ $0 }) else { return queue.async(execute: block) }
      let hasRoom = room.wait(timeout: .now() + 1) == .success
      if !hasRoom { isUnlimited.withLock { $0 = true } }
      queue.async { [room] in
        block()
        if hasRoom { room.signal() }
      }
    }
  }
#endif

extension OperationQueue? {
  /// Where a session calls its delegate, for the queue that an app has named; nil: on a queue that the session makes.
  var ofSession: OperationQueue? {
    #if canImport(Darwin)
      return self
    #else
      return self ?? DelegateQueue()
    #endif
  }
}
