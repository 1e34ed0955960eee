#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// A value that is read and changed only under a lock.
///
/// The system's own `Mutex` needs newer Apple releases than this package supports.
/// **Invariants.** Mutex and state stay at their addresses from `init` to `deinit`; the state is accessed only between
/// lock and unlock. (It is not a stored property, because Swift would record accesses to that, which the lock makes
/// unnecessary.)
///
/// The closure must be short. It must not call code of the app, nor take another lock.
package final class Locked<State: ~Copyable>: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let state: UnsafeMutablePointer<State>

  package init(_ state: consuming sending State) {
    // Both in one piece of memory: every operation makes some of these.
    let alignment = max(MemoryLayout<pthread_mutex_t>.alignment, MemoryLayout<State>.alignment)
    let offset = (MemoryLayout<pthread_mutex_t>.size + alignment - 1) & ~(alignment - 1)
    let room = UnsafeMutableRawPointer.allocate(
      byteCount: offset + MemoryLayout<State>.size, alignment: alignment)
    mutex = room.initializeMemory(as: pthread_mutex_t.self, to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
    self.state = (room + offset).bindMemory(to: State.self, capacity: 1)
    self.state.initialize(to: state)
  }

  deinit {
    state.deinitialize(count: 1)
    pthread_mutex_destroy(mutex)
    UnsafeMutableRawPointer(mutex).deallocate()
  }

  @discardableResult
  package func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&state.pointee)
  }

  /// Whether two are one object. (The standard operators take `AnyObject?`, and making that of an object whose state
  /// cannot be copied needs newer Apple releases than this package supports.)
  package static func === (left: Locked, right: Locked) -> Bool { left.mutex == right.mutex }

  package static func !== (left: Locked, right: Locked) -> Bool { left.mutex != right.mutex }
}
