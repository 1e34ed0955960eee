package import Dispatch

extension DispatchQueue {
  /// A serial queue that runs on this one, so that calls run in their order.
  ///
  /// On a concurrent queue, the second result of an operation could come before the first.
  package var oneByOne: DispatchQueue {
    self === DispatchQueue.main ? self : DispatchQueue(label: "apollo.callbacks", target: self)
  }
}
