extension RecordSnapshot {
  final class Chunk: @unchecked Sendable {
    // Changed only while one store holds the only reference to it.
    let records: Places<ObjectRecord?>
    /// When a server sent all fields of the record.
    let dates: Places<OnlyDate>
    /// The expiries of all fields of the record, by the place of the record, where there is one and the fields do not
    /// have several dates.
    @exclusivity(unchecked) private var expiries: [UInt8: UInt32] = [:]
    /// The dates of the records whose fields have several, by the place of the record.
    private var several: [UInt8: PackedDates] = [:]
    /// Whether a backend was asked for the record.
    var isLoaded = NumberSet()
    /// Whether the record is not there, and may come again: it was removed to save memory, or room in a backend. It is not
    /// known to be gone.
    var isEvicted = NumberSet()
    /// Whether some field has, or had, an expiry.
    @exclusivity(unchecked) private var hasExpiries = false

    init() {
      records = Places(repeating: nil)
      dates = Places(repeating: .unknown)
    }

    private init(of other: Chunk) {
      records = Places(of: other.records)
      dates = Places(of: other.dates)
      expiries = other.expiries
      several = other.several
      isLoaded = other.isLoaded
      isEvicted = other.isEvicted
      hasExpiries = other.hasExpiries
    }

    func copy() -> Chunk { Chunk(of: self) }

    /// The date of all fields of the record at a place; nil if they have several dates.
    @inline(__always) func onlyDate(at index: Int) -> FieldDate? {
      let date = dates[index]
      if date == .several { return nil }
      return FieldDate(seconds: date.seconds, expiry: hasExpiries ? expiries[UInt8(index)] ?? 0 : 0)
    }

    func dates(at index: Int) -> RecordDates {
      onlyDate(at: index).map { RecordDates($0) } ?? several[UInt8(index)]?.dates ?? RecordDates()
    }

    func date(of key: FieldKey, at index: Int) -> FieldDate {
      onlyDate(at: index) ?? several[UInt8(index)]?.date(of: key) ?? FieldDate()
    }

    func setDates(at index: Int, _ new: RecordDates) {
      guard !new.exceptions.isEmpty else { return setDate(at: index, new.common) }
      if hasExpiries { expiries[UInt8(index)] = nil }
      dates[index] = .several
      several[UInt8(index)] = PackedDates(new)
      if new.hasExpiries { hasExpiries = true }
    }

    func setDate(at index: Int, _ date: FieldDate) {
      if dates[index] == .several { several[UInt8(index)] = nil }
      dates[index] = OnlyDate(seconds: min(date.seconds, OnlyDate.several.seconds - 1))
      guard date.expiry > 0 || hasExpiries else { return }
      hasExpiries = true
      expiries[UInt8(index)] = date.expiry > 0 ? date.expiry : nil
    }

    /// Replaces the record at a place. Fields that are gone have no date.
    func setRecord(at index: Int, _ record: ObjectRecord?) {
      let oldCount = records[index]?.count ?? 0
      records[index] = record
      isEvicted[index] = false
      guard let record else { return setDate(at: index, FieldDate()) }
      guard record.count < oldCount, var dates = several[UInt8(index)]?.dates else { return }
      dates.removeFields(notIn: record)
      setDates(at: index, dates)
    }
  }

  /// A place for each number of a chunk.
  ///
  /// **Invariant.** All of them are initialized.
  struct Places<Element>: ~Copyable {
    private let start: UnsafeMutablePointer<Element>

    fileprivate init(repeating element: Element) {
      start = .fromSystem(capacity: chunkSize)
      start.initialize(repeating: element, count: chunkSize)
    }

    fileprivate init(of other: borrowing Places) {
      start = .fromSystem(capacity: chunkSize)
      // One by one: for all at once, the compiler calls the runtime, which takes three times as many instructions.
      for index in 0..<chunkSize { (start + index).initialize(to: other.start[index]) }
    }

    deinit {
      for index in 0..<chunkSize { (start + index).deinitialize(count: 1) }
      start.returnToSystem()
    }

    subscript(index: Int) -> Element {
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

  /// A set of numbers below 128.
  struct NumberSet: Sendable {
    private var bits: (UInt64, UInt64) = (0, 0)

    subscript(number: Int) -> Bool {
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
