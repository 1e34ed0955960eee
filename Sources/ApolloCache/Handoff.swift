/// A value that one thread hands to another, although its type does not promise that this is safe.
///
/// This is the one place where the package steps around the compiler's check of what may cross threads (`Sendable`), on
/// behalf of its callers. It does so for two kinds of values:
///
/// - **Handlers of an app.** They are plain closures, so that a closure of a main-actor class or a view may set state,
///   as in every release of Apollo iOS. On the way to its call a handler is only carried from thread to thread; it is
///   called on the queue that the caller has named. So its code runs where the caller expects it, and never at the same
///   time as itself on a serial queue such as the main one.
/// - **Objects of an app.** Transports, interceptor providers, contexts, caches and delegates are mostly plain classes.
///   The documentation of each protocol says from which threads its members are called, and the object has to be right
///   for that.
///
/// And it does so for values of this package of which only one thread at a time knows.
package struct Handoff<Value>: @unchecked Sendable {
  package let value: Value
  package init(_ value: Value) { self.value = value }
}
