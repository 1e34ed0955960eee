/// Calls a closure when the last reference to it is gone: a callback that holds it can no longer be called then.
final class OnRelease: Sendable {
  private let action: @Sendable () -> Void

  init(_ action: @escaping @Sendable () -> Void) { self.action = action }

  deinit { action() }
}
