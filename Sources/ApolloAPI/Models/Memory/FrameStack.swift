/// The objects that are being read, from the outermost to the innermost.
///
/// **Invariants.** ``Frame`` is trivial: nothing has to be done to forget one. `top` is the last frame; everything up
/// to it is
/// initialized. One place before `start` is a frame without fields, which is `top` where no object is being read: code
/// that asks for a field there gets an error.
struct FrameStack: ~Copyable {
  private var topFrame: UnsafeMutablePointer<Frame>
  private var start: UnsafeMutablePointer<Frame>
  /// (Up to 1,024 bytes the system has memory at hand.)
  private var capacity = 1024 / MemoryLayout<Frame>.stride - 1

  init(_ bytes: Bytes) {
    start = .fromSystem(capacity: capacity + 1) + 1
    topFrame = start - 1
    topFrame.initialize(
      to: Frame(table: .none, keyFields: .none, fields: .none, keys: .none, start: bytes, resume: bytes))
  }

  deinit { (start - 1).returnToSystem() }

  /// The innermost object, or the frame without fields.
  var top: Frame {
    @_transparent unsafeAddress { UnsafePointer(topFrame) }
    @_transparent unsafeMutableAddress { topFrame }
  }

  /// The object around the innermost one, or the frame without fields. There must be an innermost one.
  var outer: Frame {
    @_transparent unsafeAddress {
      assert(!isEmpty)
      return UnsafePointer(topFrame - 1)
    }
  }

  @inline(__always) var isEmpty: Bool { topFrame < start }

  /// True while the innermost object is the outermost one as well.
  @inline(__always) var hasOne: Bool { topFrame == start }

  var count: Int { topFrame - start + 1 }

  /// Stands for the innermost object while it is read.
  struct Mark: Equatable {
    fileprivate let offset: Int
  }

  @inline(__always) var mark: Mark { Mark(offset: UnsafeRawPointer(topFrame) - UnsafeRawPointer(start)) }

  subscript(index: Int) -> Frame {
    @inline(__always) unsafeAddress {
      precondition(index >= 0 && index < count)
      return UnsafePointer(start + index)
    }
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
    let grown = UnsafeMutablePointer<Frame>.fromSystem(capacity: capacity * 2 + 1) + 1
    (grown - 1).moveInitialize(from: start - 1, count: capacity + 1)
    (start - 1).returnToSystem()
    start = grown
    topFrame = start + capacity
    capacity *= 2
  }
}
