// Cursors that are noted beside the elements.

extension PageRun {
  /// Notes the cursor of an element that does not have it in it, for pages that begin or end in the middle.
  ///
  /// - Parameters:
  ///   - cursor: The cursor.
  ///   - index: The index of the element.
  ///   - isNew: Whether it counts, and not where the cursor was noted before. The default is false.
  mutating func note(_ cursor: String?, at index: Int, isNew: Bool = false) {
    guard let cursor, index >= 0, !(index < count && Self.cursor(of: elements.values[index]) == cursor) else { return }
    if let place = cursors.firstIndex(where: { $0.cursor == cursor }) {
      if isNew { cursors[place].index = index }
    } else {
      cursors.append((cursor, index))
    }
  }

  /// Notes where the elements are of a run that was put behind this one. The cursor of an object that has kept its place
  /// is one of the element before it in that run.
  mutating func note(cursorsOf other: PageRun, from base: Int) {
    forget(cursorsOf: base..<count)
    guard count < base + other.count else { return }
    var place = base - 1
    for element in other.elements.values {
      if place + 1 < count, Elements.areSame(elements.values[place + 1], element) {
        place += 1
      } else {
        note(Self.cursor(of: element), at: place, isNew: true)
      }
    }
  }

  /// Notes where the elements are of a run that was put in front of this one. The cursor of an object that has kept its
  /// place is one of the element behind it in that run.
  mutating func note(cursorsOf other: PageRun, before end: Int) {
    var place = end
    for element in other.elements.values.reversed() {
      if place > 0, Elements.areSame(elements.values[place - 1], element) {
        place -= 1
      } else if place < count {
        note(Self.cursor(of: element), at: place)
      }
    }
  }

  /// Forgets what was noted of cursors that new elements have.
  mutating func forget(cursorsOf places: Range<Int>) {
    if cursors.isEmpty { return }
    let new = Set(elements.values[places].compactMap(Self.cursor))
    if !new.isEmpty { cursors.removeAll { new.contains($0.cursor) } }
  }
}
