import ApolloAPI

/// Makes blobs of records, in version 1 of the format; `Docs/sqlite.md` describes it.
///
/// A blob is: the version; the number of the type's name, or 0; the common date and expiry of the fields; how many fields
/// have another date, and these; the fields; a checksum.
struct RecordEncoder {
  static let version: UInt8 = 1

  let records: RecordSnapshot
  /// Gives a number to a name. A new name is written to the file.
  let number: (String) throws -> Int64
  /// The numbers of keys without arguments that were asked for before, by the number that the process has for a key; 0 for
  /// others.
  private var known: [Int64] = []
  private var types: [TypeSymbol: Int64] = [.unknown: 0]
  /// The blob that was made last. The next one takes its memory.
  private var last = BlobWriter()

  init(_ records: RecordSnapshot, number: @escaping (String) throws -> Int64) {
    self.records = records
    self.number = number
  }

  /// A record cannot be in a file: it is nested more deeply than a reader would follow, or has a name with a NUL.
  struct Unstorable: Error {}

  /// Makes the blob of a record.
  ///
  /// - Parameters:
  ///   - key: Its key.
  ///   - record: The record.
  ///   - dates: When a server sent the fields.
  /// - Returns: The bytes.
  /// - Throws: ``Unstorable``, and what giving a number throws.
  mutating func blob(
    for key: String, of record: ObjectRecord, dates: RecordDates
  ) throws -> [UInt8] {
    var blob = BlobWriter()
    swap(&blob, &last)
    blob.restart()
    blob.write(Self.version)
    blob.write(UInt64(try number(of: record.type)))
    var common = dates.common
    if !common.isForBackend { common = record.count > 0 ? dates.date(of: record.field(at: 0).key) : FieldDate() }
    blob.write(UInt64(common.seconds))
    blob.write(UInt64(common.expiry))
    let known = dates.datesByKey
    var others: [(index: Int, date: FieldDate)] = []
    if !known.isEmpty || common != dates.common {
      var index = 0
      record.forEachKey { key in
        let date = known[key] ?? dates.common
        if date != common { others.append((index, date)) }
        index += 1
      }
    }
    blob.write(count: others.count)
    for (index, date) in others {
      blob.write(count: index)
      blob.write(signed: Int64(date.seconds) - Int64(common.seconds))
      blob.write(UInt64(date.expiry))
    }
    try write(record, to: &blob, depth: 0)
    blob.writeChecksum(for: key)
    last = blob
    return blob.bytes
  }

  private mutating func write(_ record: ObjectRecord, to blob: inout BlobWriter, depth: Int) throws {
    blob.write(count: record.count)
    try record.forEachField { field in
      try write(field.key, to: &blob)
      try write(field.value, to: &blob, depth: depth)
    }
  }

  /// The number of the name, doubled; odd if arguments follow, as text.
  private mutating func write(_ key: FieldKey, to blob: inout BlobWriter) throws {
    guard key.hasArguments else { return blob.write(UInt64(try number(of: key)) << 1) }
    let text = records.text(of: key), end = text.utf8.firstIndex(of: UInt8(ascii: "(")) ?? text.endIndex
    blob.write(UInt64(try number(String(text[..<end]))) << 1 | 1)
    blob.write(String(text[end...]))
  }

  private mutating func write(_ value: RecordValue, to blob: inout BlobWriter, depth: Int) throws {
    guard depth < RecordDecoder.depthLimit else { throw Unstorable() }
    switch value {
    case .null, .incoming: blob.write(Tag.null)
    case .bool(let value): blob.write(value ? Tag.true : Tag.false)
    case .int(let value):
      blob.write(Tag.int)
      blob.write(signed: Int64(value))
    case .double(let value):
      blob.write(Tag.double)
      blob.write(value)
    case .string(let text):
      blob.write(Tag.string)
      blob.write(text)
    case .json(let text):
      blob.write(Tag.json)
      blob.write(text)
    case .reference(let number):
      blob.write(Tag.reference)
      blob.write(keyOf: number, in: records)
    case .references(let numbers):
      blob.write(Tag.list)
      blob.write(count: numbers.count)
      for number in numbers { try write(number < 0 ? .null : .reference(number), to: &blob, depth: depth) }
    case .object(let record):
      blob.write(Tag.object)
      blob.write(UInt64(try number(of: record.type)))
      try write(record, to: &blob, depth: depth + 1)
    case .list(let values):
      blob.write(Tag.list)
      blob.write(count: values.count)
      for value in values { try write(value, to: &blob, depth: depth + 1) }
    case .error(let error):
      blob.write(Tag.error)
      blob.write(error.text)
    }
  }

  private mutating func number(of key: FieldKey) throws -> Int64 {
    let index = Int(key.rawValue)
    if index < known.count, known[index] > 0 { return known[index] }
    let new = try number(records.text(of: key))
    if index >= known.count { known += Array(repeating: 0, count: index + 1 - known.count) }
    known[index] = new
    return new
  }

  private mutating func number(of type: TypeSymbol) throws -> Int64 {
    if let number = types[type] { return number }
    let new = try type.name.map(number) ?? 0
    types[type] = new
    return new
  }
}

extension RecordEncoder {
  /// What kind of value follows.
  enum Tag {
    static let null: UInt8 = 0
    static let `false`: UInt8 = 1
    static let `true`: UInt8 = 2
    static let int: UInt8 = 3
    static let double: UInt8 = 4
    static let string: UInt8 = 5
    static let json: UInt8 = 6
    static let reference: UInt8 = 7
    static let object: UInt8 = 8
    static let list: UInt8 = 9
    static let error: UInt8 = 10
  }
}
