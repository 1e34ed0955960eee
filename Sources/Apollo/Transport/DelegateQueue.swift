import Foundation

#if !canImport(Darwin)
  /// The queue on which a session calls its delegate, one call after the other.
  ///
  /// A session only ever adds blocks. Foundation on Linux makes an operation of each, with five locks and a thread's
  /// awakening more than a dispatch queue needs, for every piece of every response. (Operations still work as usual.)
  final class DelegateQueue: OperationQueue, @unchecked Sendable {
    // Unchecked, as its superclass is; the one member is Sendable and never changes.

    private let queue = DispatchQueue(label: "apollo.session-delegate")

    override func addOperation(_ block: @escaping @Sendable () -> Void) { queue.async(execute: block) }
  }
#endif
