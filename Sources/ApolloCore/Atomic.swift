// Exports all of the client, for code that imports ApolloCore, as apps for Apollo iOS 0.3x and 0.4x do.
@_exported public import Apollo
import Foundation

/// A value that is read and changed under a lock. It has the name and the members of Apollo iOS 0.3x to 1.
///
///     let task = Atomic<URLSessionTask?>(nil)
///     task.mutate { $0 = newTask }
///
/// It is in this module only, because the system has another `Atomic`. New code uses an actor, or the system's `Mutex`.
@propertyWrapper
public final class Atomic<Value>: @unchecked Sendable {
  // The value is used under the lock only.

  private let lock = NSLock()
  private var current: Value

  /// Makes an object with a value.
  ///
  /// - Parameter value: The first value.
  public init(_ value: Value) { current = value }

  /// Makes an object with a value, as a property wrapper.
  ///
  /// - Parameter wrappedValue: The first value.
  public convenience init(wrappedValue: Value) { self.init(wrappedValue) }

  /// The value. To compute the new value from the old one, call ``mutate(_:)``, because other threads may change it
  /// between reading and writing.
  public var value: Value {
    get { lock.withLock { current } }
    set {
      let former = lock.withLock {
        defer { current = newValue }
        return current
      }
      // (Its release may run code that uses this object.)
      withExtendedLifetime(former) {}
    }
  }

  /// The value, for a property with this wrapper.
  public var wrappedValue: Value {
    get { value }
    set { value = newValue }
  }

  /// The object itself, for ``mutate(_:)``.
  public var projectedValue: Atomic<Value> { self }

  /// Changes the value. Other threads cannot read or change it meanwhile.
  ///
  /// - Parameter block: Changes the value. It must be short, and must not use this object.
  /// - Returns: What `block` returns.
  /// - Throws: What `block` throws.
  @discardableResult
  public func mutate<Result>(_ block: (inout Value) throws -> Result) rethrows -> Result {
    try lock.withLock { try block(&current) }
  }

  /// Changes the value. Other threads cannot read or change it meanwhile. It has the argument label of Apollo iOS 1.
  ///
  /// - Parameter block: Changes the value. It must be short, and must not use this object.
  /// - Returns: What `block` returns.
  /// - Throws: What `block` throws.
  @_disfavoredOverload @discardableResult
  public func mutate<Result>(block: (inout Value) throws -> Result) rethrows -> Result {
    try lock.withLock { try block(&current) }
  }

  /// Adds one, and returns the number after that.
  @discardableResult
  public func increment() -> Value where Value: Numeric {
    mutate { value in
      value += 1
      return value
    }
  }
}
