extension RecordSnapshot {
  package final class Chunk: @unchecked Sendable {
    // Changed only while one store holds the only reference to it.
    package let records: Places<ObjectRecord?>
    /// When a server sent most fields of the record; see ``RecordDates/seconds``.
    package let dates: Places<UInt32>
    /// The fields that came at another time, by the place of their record; see ``RecordDates/exceptions``.
    package var exceptions: [UInt8: [RecordDates.Exception]] = [:]
    /// Whether a backend was asked for the record.
    package var isLoaded = NumberSet()

    init() {
      records = Places(repeating: nil)
      dates = Places(repeating: 0)
    }

    private init(of other: Chunk) {
      records = Places(of: other.records)
      dates = Places(of: other.dates)
      exceptions = other.exceptions
      isLoaded = other.isLoaded
    }

    func copy() -> Chunk { Chunk(of: self) }
  }

  /// A place for each number of a chunk.
  ///
  /// **Invariant.** All of them are initialized.
  package struct Places<Element>: ~Copyable {
    private let start: UnsafeMutablePointer<Element>

    fileprivate init(repeating element: Element) {
      start = .allocate(capacity: chunkSize)
      start.initialize(repeating: element, count: chunkSize)
    }

    fileprivate init(of other: borrowing Places) {
      start = .allocate(capacity: chunkSize)
      // One by one: for all at once, the compiler calls the runtime, which takes three times as many instructions.
      for index in 0..<chunkSize { (start + index).initialize(to: other.start[index]) }
    }

    deinit {
      for index in 0..<chunkSize { (start + index).deinitialize(count: 1) }
      start.deallocate()
    }

    package subscript(index: Int) -> Element {
      get {
        precondition(index >= 0 && index < chunkSize)
        return start[index]
      }
      nonmutating set {
        precondition(index >= 0 && index < chunkSize)
        start[index] = newValue
      }
    }
  }

  /// A set of numbers below 256.
  package struct NumberSet: Sendable {
    private var bits: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    package subscript(number: Int) -> Bool {
      get { withUnsafeBytes(of: bits) { $0[number >> 3] & (1 << UInt8(number & 7)) != 0 } }
      set {
        withUnsafeMutableBytes(of: &bits) { bytes in
          let bit: UInt8 = 1 << UInt8(number & 7)
          bytes[number >> 3] = newValue ? bytes[number >> 3] | bit : bytes[number >> 3] & ~bit
        }
      }
    }
  }
}
