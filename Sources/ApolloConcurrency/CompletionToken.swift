/// Notices that a completion can no longer be called, because the last reference to it is gone.
///
/// An app's code that is called with a completion has no other way to say that it will not call it.
package final class CompletionToken: Sendable {
  private let onEnd: @Sendable () -> Void

  package init(_ onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }

  deinit { onEnd() }

  /// A completion that holds the token.
  package func guarding<Value>(_ completion: @escaping @Sendable (Value) -> Void) -> @Sendable (Value) -> Void {
    { value in withExtendedLifetime(self) { completion(value) } }
  }
}
