/// A list that grows at its end, without the checks and the sharing of `Array`.
///
/// **Invariant.** Exactly the first `count` places are initialized. Before the first element, no memory is allocated,
/// because many lists stay empty.
struct Stack<Element>: ~Copyable {
  private var start = UnsafeMutablePointer<Element>.nowhere
  private(set) var count = 0
  private var capacity = 0

  init() {}

  deinit {
    start.deinitialize(count: count)
    if capacity > 0 { start.returnToSystem() }
  }

  @inline(__always) mutating func append(_ element: consuming Element) {
    if count == capacity { grow() }
    (start + count).initialize(to: element)
    count += 1
  }

  subscript(index: Int) -> Element {
    @_transparent unsafeAddress {
      assert(index >= 0 && index < count)
      return UnsafePointer(start + index)
    }
    @_transparent unsafeMutableAddress {
      assert(index >= 0 && index < count)
      return start + index
    }
  }

  /// Drops all from `index` on.
  @inline(__always) mutating func removeAll(from index: Int) {
    assert(index >= 0 && index <= count)
    (start + index).deinitialize(count: count - index)
    count = index
  }

  /// Takes all from `index` on; `body` gets where they are, initialized, and leaves them uninitialized.
  @inline(__always) mutating func take<Result: ~Copyable>(
    from index: Int, _ body: (UnsafeMutablePointer<Element>, Int) -> Result
  ) -> Result {
    assert(index >= 0 && index <= count)
    let taken = count - index
    count = index
    return body(start + index, taken)
  }

  @inline(never) private mutating func grow() {
    let grown = UnsafeMutablePointer<Element>.fromSystem(capacity: max(64, capacity * 2))
    grown.moveInitialize(from: start, count: count)
    if capacity > 0 { start.returnToSystem() }
    start = grown
    capacity = max(64, capacity * 2)
  }
}
