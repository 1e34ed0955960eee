/// The dates of a record whose fields have several: 8 bytes for each field that is an exception, 12 if one of the
/// fields has an expiry.
struct PackedDates: Sendable {
  /// The common date and expiry, whether the exceptions have expiries, and for each exception the key, the date, and the
  /// expiry if they have expiries.
  private let words: [UInt32]
  private static let headerSize = 3

  private var stride: Int { words[2] == 0 ? 2 : 3 }

  init(_ dates: RecordDates) {
    let hasExpiries = dates.exceptions.contains { $0.date.expiry > 0 }
    let size = Self.headerSize + dates.exceptions.count * (hasExpiries ? 3 : 2)
    words = Array(unsafeUninitializedCapacity: size) { words, count in
      func append(_ word: UInt32) {
        words.initializeElement(at: count, to: word)
        count += 1
      }
      append(dates.common.seconds)
      append(dates.common.expiry)
      append(hasExpiries ? 1 : 0)
      for exception in dates.exceptions {
        append(exception.key.rawValue)
        append(exception.date.seconds)
        if hasExpiries { append(exception.date.expiry) }
      }
    }
  }

  var dates: RecordDates {
    RecordDates(
      common,
      exceptions: Swift.stride(from: Self.headerSize, to: words.count, by: stride).map {
        (FieldKey(rawValue: words[$0]), date(at: $0))
      })
  }

  func date(of key: FieldKey) -> FieldDate {
    var index = Self.headerSize
    while index < words.count {
      if words[index] == key.rawValue { return date(at: index) }
      index += stride
    }
    return common
  }

  private var common: FieldDate { FieldDate(seconds: words[0], expiry: words[1]) }

  private func date(at index: Int) -> FieldDate {
    FieldDate(seconds: words[index + 1], expiry: stride == 3 ? words[index + 2] : 0)
  }
}
