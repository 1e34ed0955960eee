/// The objects that are being read, from the outermost to the innermost.
///
/// **Invariants.** ``Frame`` is trivial: nothing has to be done to forget one. `top` is the last frame, or one place
/// before `start` if there is none; everything up to it is initialized.
struct FrameStack: ~Copyable {
  private var topFrame: UnsafeMutablePointer<Frame>
  private var start: UnsafeMutablePointer<Frame>
  private var capacity = 32

  init() {
    start = .allocate(capacity: capacity)
    topFrame = start - 1
  }

  deinit { start.deallocate() }

  /// The innermost object. There must be one.
  var top: Frame {
    @_transparent unsafeAddress { UnsafePointer(topFrame) }
    @_transparent unsafeMutableAddress { topFrame }
  }

  @inline(__always) var isEmpty: Bool { topFrame < start }

  /// True while the innermost object is the outermost one as well.
  @inline(__always) var hasOne: Bool { topFrame == start }

  var count: Int { topFrame - start + 1 }

  subscript(index: Int) -> Frame {
    precondition(index >= 0 && index < count)
    return start[index]
  }

  @inline(__always) mutating func push(_ frame: Frame) {
    topFrame += 1
    if topFrame == start + capacity { grow() }
    topFrame.initialize(to: frame)
  }

  @inline(__always) mutating func pop() {
    assert(!isEmpty)
    topFrame -= 1
  }

  @inline(never) private mutating func grow() {
    let grown = UnsafeMutablePointer<Frame>.allocate(capacity: capacity * 2)
    grown.moveInitialize(from: start, count: capacity)
    start.deallocate()
    start = grown
    topFrame = start + capacity
    capacity *= 2
  }
}
