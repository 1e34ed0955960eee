/// **Invariants.** A `String` is trivial to look at as bytes: its size is a multiple of four, and two with the same bytes are
/// the same text. The buffers of UTF-8 are used within their closures only.
extension String {
  /// Whether both have the same bytes in UTF-8. Texts that are equal may have other bytes: Unicode composes characters in
  /// several ways.
  func hasSameBytes(as other: String) -> Bool { isIdentical(to: other) || hasEqualBytes(other) }

  /// True if both are held in the same way. That is found without a look at the bytes of a long text.
  @inline(__always) private func isIdentical(to other: String) -> Bool {
    withUnsafeBytes(of: self) { a in
      withUnsafeBytes(of: other) { b in
        for offset in stride(from: 0, to: MemoryLayout<String>.size, by: 4)
        where a.load(fromByteOffset: offset, as: UInt32.self) != b.load(fromByteOffset: offset, as: UInt32.self) {
          return false
        }
        return true
      }
    }
  }

  @inline(never) private func hasEqualBytes(_ other: String) -> Bool {
    let isEqual = utf8.withContiguousStorageIfAvailable { a in
      other.utf8.withContiguousStorageIfAvailable { b in
        guard a.count == b.count else { return false }
        guard let first = a.baseAddress, let second = b.baseAddress else { return true }
        return Bytes(first).equals(Bytes(second), a.count)
      }
    }
    // A text that is bridged from another language may have no bytes in a row.
    return isEqual.flatMap(\.self) ?? utf8.elementsEqual(other.utf8)
  }
}
