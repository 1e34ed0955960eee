#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

extension UnsafeMutablePointer where Pointee: ~Copyable {
  /// Uninitialized memory, directly from the system, which aligns all of it to two words. (`allocate` asks for that in a
  /// way that takes three times as long on Linux.)
  ///
  /// **Invariant.** What has the memory initializes it before it reads it, and gives it back once, with no value left in it.
  ///
  /// - Parameter capacity: For how many values there has to be room.
  /// - Returns: The memory, for ``returnToSystem()``.
  @inline(__always) static func fromSystem(capacity: Int) -> Self {
    precondition(MemoryLayout<Pointee>.alignment <= 2 * MemoryLayout<Int>.size)
    let (size, isTooLarge) = capacity.multipliedReportingOverflow(by: MemoryLayout<Pointee>.stride)
    guard !isTooLarge, let memory = malloc(max(1, size)) else {
      fatalError("There is no memory for \(capacity) values.")
    }
    return memory.bindMemory(to: Pointee.self, capacity: capacity)
  }

  /// Gives uninitialized memory of ``fromSystem(capacity:)`` back.
  @inline(__always) func returnToSystem() { free(self) }
}
