/// A list in memory that another object owns.
///
/// **Invariant.** The owner lives longer than the code that uses the list: the lists of a field table are never
/// freed, and those that a reader makes are freed together with the reader.
struct UnownedList<Element> {
  private let start: UnsafeMutablePointer<Element>
  let count: Int

  /// Allocates the list; it lives until it is ``free()``d.
  init(_ elements: [Element]) {
    count = elements.count
    start = .fromSystem(capacity: max(1, count))
    for (index, element) in elements.enumerated() { (start + index).initialize(to: element) }
  }

  /// No elements, and nothing to free.
  static var none: UnownedList { UnownedList() }

  private init() {
    start = .nowhere
    count = 0
  }

  func free() {
    start.deinitialize(count: count)
    start.returnToSystem()
  }

  /// The index is checked in debug builds only: what code outside of this module asks for is compared with the count
  /// before.
  subscript(index: Int) -> Element {
    @_transparent unsafeAddress {
      assert(index >= 0 && index < count)
      return UnsafePointer(start + index)
    }
  }

  func contains(where predicate: (Element) -> Bool) -> Bool {
    UnsafeBufferPointer(start: start, count: count).contains(where: predicate)
  }

  var array: [Element] { Array(UnsafeBufferPointer(start: start, count: count)) }
}

/// A reference without reference counting.
///
/// **Invariant.** The referent lives longer than the code that uses it: the storage of a field table is never freed.
struct Unowned<Referent: AnyObject> {
  private let reference: Unmanaged<Referent>

  init(_ referent: Referent) { reference = .passUnretained(referent) }

  var referent: Referent { @_transparent get { reference._withUnsafeGuaranteedRef { $0 } } }
}

extension Unowned: Sendable where Referent: Sendable {}

extension UnsafeMutablePointer {
  /// An address for lists without elements. It is never read.
  static var nowhere: UnsafeMutablePointer {
    UnsafeMutableRawPointer(bitPattern: MemoryLayout<Pointee>.alignment)!.assumingMemoryBound(to: Pointee.self)
  }
}
