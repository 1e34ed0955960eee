// All of the client, for code that imports ApolloCore as apps of releases 0.3x and 0.4x do.
@_exported public import Apollo
import Foundation

/// A value that is read and changed under a lock, by its name in releases 0.3x to 1.x of Apollo iOS.
///
///     let task = Atomic<URLSessionTask?>(nil)
///     task.mutate { $0 = newTask }
///
/// It is in this module only, as the system has another `Atomic`. New code uses an actor, or the system's `Mutex`.
@propertyWrapper
public final class Atomic<Value>: @unchecked Sendable {
  // The value is touched under the lock only.

  private let lock = NSLock()
  private var current: Value

  /// - Parameter value: The first value.
  public init(_ value: Value) { current = value }

  /// - Parameter wrappedValue: The first value.
  public convenience init(wrappedValue: Value) { self.init(wrappedValue) }

  /// The value. To change it by what it was, call ``mutate(_:)``: between reading and writing it, others may change it.
  public var value: Value {
    get { lock.withLock { current } }
    set { lock.withLock { current = newValue } }
  }

  public var wrappedValue: Value {
    get { value }
    set { value = newValue }
  }

  /// The object itself, for ``mutate(_:)``.
  public var projectedValue: Atomic<Value> { self }

  /// Changes the value while nobody else reads or changes it.
  ///
  /// - Parameter block: Must be short, and must not use this object.
  @discardableResult
  public func mutate<Result>(_ block: (inout Value) throws -> Result) rethrows -> Result {
    try lock.withLock { try block(&current) }
  }

  /// Changes the value while nobody else reads or changes it, by the label of releases 1.x.
  ///
  /// - Parameter block: Must be short, and must not use this object.
  @_disfavoredOverload @discardableResult
  public func mutate<Result>(block: (inout Value) throws -> Result) rethrows -> Result {
    try lock.withLock { try block(&current) }
  }

  /// Adds one, and tells the number before that.
  public func increment() -> Value where Value: BinaryInteger {
    mutate { value in
      defer { value += 1 }
      return value
    }
  }
}
