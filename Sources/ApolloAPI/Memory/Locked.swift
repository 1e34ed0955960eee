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
/// The system's own `Mutex` needs newer Apple releases than this package supports. On Apple's systems, a thread that
/// holds the lock has the priority of the most urgent thread that waits for it.
/// **Invariants.** Lock and state stay at their addresses from `init` to `deinit`; the state is accessed only between
/// lock and unlock. (It is not a stored property, because Swift would record accesses to that, which the lock makes
/// unnecessary.)
///
/// The closure must be short. It must not call code of the app, nor take another lock. The `deinit` of an object of the
/// app is such code: what the closure takes out of the value goes out through ``takeOut(_:)`` or ``replace(_:with:)``.
package final class Locked<State: ~Copyable>: @unchecked Sendable {
  private let lock: UnsafeMutablePointer<SystemLock>
  private let state: UnsafeMutablePointer<State>

  /// Puts a value behind a lock of its own.
  package init(_ state: consuming sending State) {
    // Both in one piece of memory: every operation makes some of these.
    let alignment = max(MemoryLayout<SystemLock>.alignment, MemoryLayout<State>.alignment)
    precondition(alignment <= 2 * MemoryLayout<Int>.size)
    let offset = (MemoryLayout<SystemLock>.size + alignment - 1) & ~(alignment - 1)
    let room = UnsafeMutableRawPointer(
      UnsafeMutablePointer<UInt8>.fromSystem(capacity: offset + MemoryLayout<State>.size))
    lock = room.initializeMemory(as: SystemLock.self, to: SystemLock())
    lock.prepare()
    self.state = (room + offset).bindMemory(to: State.self, capacity: 1)
    self.state.initialize(to: state)
  }

  deinit {
    state.deinitialize(count: 1)
    lock.destroy()
    lock.returnToSystem()
  }

  /// Runs a body with the value, which no other thread sees meanwhile.
  @discardableResult
  package func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&state.pointee)
  }

  /// Runs a body with the value, and releases what the body has taken out of it when the lock is free again.
  ///
  /// The last reference to an object of the app may be among that. Its `deinit` may come back to this lock.
  ///
  /// - Parameter body: Changes the value, and returns what it has taken out.
  package func takeOut<Removed>(_ body: (inout State) -> Removed) {
    lock.lock()
    let removed = body(&state.pointee)
    lock.unlock()
    withExtendedLifetime(removed) {}
  }

  /// Whether two are one object. (The standard operators take `AnyObject?`, and making that of an object whose state
  /// cannot be copied needs newer Apple releases than this package supports.)
  package static func === (left: Locked, right: Locked) -> Bool { left.lock == right.lock }
}

extension Locked {
  /// Puts a part in the place of another, which is released when the lock is free again; see ``takeOut(_:)``.
  ///
  /// - Parameters:
  ///   - path: Where the part is; `\.self` is the whole value.
  ///   - part: The new part.
  package func replace<Part>(_ path: WritableKeyPath<State, Part>, with part: Part) {
    takeOut { state in
      let former = state[keyPath: path]
      state[keyPath: path] = part
      return former
    }
  }
}

#if canImport(Darwin)
  private typealias SystemLock = os_unfair_lock

  extension UnsafeMutablePointer<os_unfair_lock> {
    fileprivate func prepare() {}
    fileprivate func lock() { os_unfair_lock_lock(self) }
    fileprivate func unlock() { os_unfair_lock_unlock(self) }
    fileprivate func destroy() {}
  }
#else
  private typealias SystemLock = pthread_mutex_t

  extension UnsafeMutablePointer<pthread_mutex_t> {
    fileprivate func prepare() { pthread_mutex_init(self, nil) }
    fileprivate func lock() { pthread_mutex_lock(self) }
    fileprivate func unlock() { pthread_mutex_unlock(self) }
    fileprivate func destroy() { pthread_mutex_destroy(self) }
  }
#endif
