/// Counts the bytes of the elements that wait in the buffer of a stream.
///
/// A stream tells how many elements it has room for, and so how many wait; which ones were taken follows from that.
package struct WaitingBytes: Sendable {
  private let limit: Int
  private let capacity: Int
  /// The sizes of the elements that wait, the oldest first, behind those that were taken.
  private var sizes: [Int] = []
  private var taken = 0
  private var bytes = 0

  /// - Parameters:
  ///   - limit: How many bytes may wait.
  ///   - capacity: How many elements the buffer may hold. The default is any number.
  package init(limit: Int, capacity: Int = .max) {
    self.limit = limit
    self.capacity = capacity
  }

  /// Counts an element that was added to the buffer.
  ///
  /// - Parameters:
  ///   - size: Its size in bytes.
  ///   - remaining: How many more elements the buffer has room for.
  /// - Returns: Whether more bytes wait than may. One element may always wait.
  package mutating func isExceeded(by size: Int, _ remaining: Int) -> Bool {
    sizes.append(size)
    bytes += size
    let waiting = capacity - remaining
    while sizes.count - taken > waiting {
      bytes -= sizes[taken]
      taken += 1
    }
    if taken > 64, taken > sizes.count / 2 {
      sizes.removeFirst(taken)
      taken = 0
    }
    return waiting > 1 && bytes > limit
  }
}
