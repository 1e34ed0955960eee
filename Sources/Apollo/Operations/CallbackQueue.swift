import Dispatch

extension DispatchQueue {
  /// A queue on which calls come one after the other, in their order, and which is this one for the code that is called.
  ///
  /// (On a concurrent queue the second result of an operation could come before the first.)
  var oneByOne: DispatchQueue {
    self === DispatchQueue.main ? self : DispatchQueue(label: "apollo.callbacks", target: self)
  }
}
