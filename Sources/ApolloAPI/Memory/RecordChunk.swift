extension RecordSnapshot {
  package final class Chunk: @unchecked Sendable {
    // Changed only while one store holds the only reference to it.
    package let records: Places<ObjectRecord?>
    /// When a server sent all fields of the record, in seconds since 1970; ``severalDates`` if they came at several
    /// times.
    private let dates: Places<UInt32>
    /// The dates of the records whose fields came at several times, by the place of the record.
    private var several: [UInt8: RecordDates] = [:]
    private static let severalDates = UInt32.max
    /// Whether a backend was asked for the record.
    package var isLoaded = NumberSet()

    init() {
      records = Places(repeating: nil)
      dates = Places(repeating: 0)
    }

    private init(of other: Chunk) {
      records = Places(of: other.records)
      dates = Places(of: other.dates)
      several = other.several
      isLoaded = other.isLoaded
    }

    func copy() -> Chunk { Chunk(of: self) }

    /// The date of all fields of the record at a place; nil if they came at several times.
    @inline(__always) func onlySeconds(at index: Int) -> UInt32? {
      let seconds = dates[index]
      return seconds == Self.severalDates ? nil : seconds
    }

    func dates(at index: Int) -> RecordDates {
      onlySeconds(at: index).map { RecordDates(seconds: $0) } ?? several[UInt8(index)] ?? RecordDates()
    }

    func setDates(at index: Int, _ new: RecordDates) {
      guard !new.exceptions.isEmpty else { return setSeconds(at: index, new.seconds) }
      dates[index] = Self.severalDates
      several[UInt8(index)] = new
    }

    func setSeconds(at index: Int, _ seconds: UInt32) {
      if dates[index] == Self.severalDates { several[UInt8(index)] = nil }
      dates[index] = min(seconds, Self.severalDates - 1)
    }

    /// Replaces the record at a place. Fields that are gone have no date.
    package func setRecord(at index: Int, _ record: ObjectRecord?) {
      let oldCount = records[index]?.count ?? 0
      records[index] = record
      guard let record else { return setSeconds(at: index, 0) }
      guard record.count < oldCount, var dates = several[UInt8(index)] else { return }
      dates.removeFields(notIn: record)
      setDates(at: index, dates)
    }
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
