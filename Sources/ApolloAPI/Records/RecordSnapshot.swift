/// The records of a store at one moment, by their numbers.
///
/// Chunks are shared with the store until it changes them, so taking a snapshot costs one reference.
package struct RecordSnapshot: Sendable {
  package static let chunkSize = 256

  package var chunks: [Chunk]
  package var count: Int

  package init() {
    chunks = []
    count = 0
  }

  package final class Chunk: @unchecked Sendable {
    // Changed only while one store holds the only reference to it.
    package var records: [Record?]

    package init(records: [Record?] = Array(repeating: nil, count: RecordSnapshot.chunkSize)) {
      self.records = records
    }
  }

  package subscript(number: Int32) -> Record? {
    let number = Int(number)
    guard number >= 0, number < count else { return nil }
    return chunks[number / Self.chunkSize].records[number % Self.chunkSize]
  }
}
