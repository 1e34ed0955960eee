/// A value in memory of its own.
///
/// A class that has one changes it without the checks that Swift makes, while a program runs, for each access to a
/// property of a class.
///
/// **Invariant.** The memory is initialized and belongs to this alone. Only one access to the value happens at a time:
/// what has it is used by one reader, and no access calls code that makes another one.
struct Owned<Value: ~Copyable>: ~Copyable {
  let start: UnsafeMutablePointer<Value>

  init(_ value: consuming Value) {
    start = .fromSystem(capacity: 1)
    start.initialize(to: value)
  }

  deinit {
    start.deinitialize(count: 1)
    start.returnToSystem()
  }

  var value: Value {
    @_transparent unsafeAddress { UnsafePointer(start) }
    @_transparent nonmutating unsafeMutableAddress { start }
  }
}
