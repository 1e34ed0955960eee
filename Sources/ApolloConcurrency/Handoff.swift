/// Carries a value from one thread to another, although its type does not promise that this is safe (`Sendable`).
///
/// A constant is marked `nonisolated(unsafe)` instead, because the compiler then says when the mark is not needed. The line
/// above it says why it is safe, and lint looks for that. A value that changes, or is in a result, an enum or a collection,
/// needs this box. There are two kinds of such values:
///
/// - **Handlers of an app.** They are closures that need not be `Sendable`, so that a closure of a main-actor class or
///   a view may set state, as in every version of Apollo iOS. A handler is only passed on between threads. It is called
///   on the queue that the caller has chosen, so on a serial queue, such as the main queue, its calls do not overlap.
/// - **Objects of an app.** Transports, interceptor providers, contexts, caches and delegates are mostly plain classes.
///   The documentation of each protocol says on which threads its members are called. The object must be safe for that.
///
/// It is also used for values of this package to which only one thread has access at a time.
package struct Handoff<Value>: @unchecked Sendable {
  package let value: Value
  package init(_ value: Value) { self.value = value }
}
