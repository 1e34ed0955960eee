// The fields of common leaf types. These functions are concrete and not inlined: inlining them into each generated type
// would make the app larger, and no faster.

extension __JSONWriter {
  /// Writes field `i` of the current table, whose value is a `String`.
  public mutating func write(_ i: Int, _ value: String) {
    let outset = beginField(i)
    write(value)
    endField(i, outset)
  }

  /// Writes field `i` of the current table, whose value is a `String` or null.
  public mutating func write(_ i: Int, _ value: String?) {
    if let value { write(i, value) } else { writeNull(i) }
  }

  /// Writes field `i` of the current table, whose value is an `Int`.
  public mutating func write(_ i: Int, _ value: Int) {
    let outset = beginField(i)
    write(value)
    endField(i, outset)
  }

  /// Writes field `i` of the current table, whose value is an `Int` or null.
  public mutating func write(_ i: Int, _ value: Int?) {
    if let value { write(i, value) } else { writeNull(i) }
  }

  /// Writes field `i` of the current table, whose value is a `Double`.
  public mutating func write(_ i: Int, _ value: Double) {
    let outset = beginField(i)
    write(value)
    endField(i, outset)
  }

  /// Writes field `i` of the current table, whose value is a `Double` or null.
  public mutating func write(_ i: Int, _ value: Double?) {
    if let value { write(i, value) } else { writeNull(i) }
  }

  /// Writes field `i` of the current table, whose value is a `Bool`.
  public mutating func write(_ i: Int, _ value: Bool) {
    let outset = beginField(i)
    write(value)
    endField(i, outset)
  }

  /// Writes field `i` of the current table, whose value is a `Bool` or null.
  public mutating func write(_ i: Int, _ value: Bool?) {
    if let value { write(i, value) } else { writeNull(i) }
  }

  /// Writes null for field `i` of the current table.
  @usableFromInline mutating func writeNull(_ i: Int) {
    let outset = beginField(i)
    writeNull()
    endField(i, outset)
  }
}
