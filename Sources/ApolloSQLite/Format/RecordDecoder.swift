import ApolloAPI
import ApolloCache

/// Makes records of blobs. A blob that is not of this format is an error, and never stops the process.
struct RecordDecoder {
  /// The deepest nesting of lists and objects in a record. One that is nested more deeply is in memory only.
  static let depthLimit = 300

  /// For how many fields memory is taken before they are read.
  private static let trustedCount = 64

  private let numbers: Locked<StoreKeys>
  private let names: Names
  private var types: [Int64: TypeSymbol] = [:]

  /// A name that was added to the file after the names were read.
  struct UnknownName: Error {}

  init(numberedBy numbers: Locked<StoreKeys>, _ names: Names) {
    self.numbers = numbers
    self.names = names
  }

  /// The name of a field, with its arguments if it has any.
  func text(of key: FieldKey) -> String {
    names.number(of: key).flatMap { names.texts[$0] } ?? numbers.withLock { $0.text(of: key) }
  }

  mutating func record(_ blob: [UInt8], for key: String) throws -> StoredRecord {
    var reader = try BlobReader(blob, for: key)
    guard case let version = try reader.byte(), version == RecordEncoder.version else {
      throw BlobReader.Problem(description: "its version is not known")
    }
    let type = try type(in: &reader)
    let common = FieldDate(seconds: try reader.seconds(), expiry: try reader.seconds())
    var dates: [(index: Int, date: FieldDate)] = []
    for _ in 0..<(try reader.count()) {
      let index = try reader.number(), difference = try reader.signed()
      let (sum, isTooLarge) = Int64(common.seconds).addingReportingOverflow(difference)
      guard index < UInt64(Int32.max), !isTooLarge, let seconds = UInt32(exactly: sum) else {
        throw BlobReader.Problem(description: "a date is not possible")
      }
      dates.append((Int(index), FieldDate(seconds: seconds, expiry: try reader.seconds())))
    }
    let record = try object(of: type, in: &reader, depth: 0)
    guard reader.rest == 0 else { throw BlobReader.Problem(description: "something follows its end") }
    // The type of the object may stand in front of the fields.
    let start = record.count - fieldCount
    return StoredRecord(
      record,
      RecordDates(
        common,
        exceptions: try dates.map { index, date in
          guard index < fieldCount else { throw BlobReader.Problem(description: "a date has no field") }
          return (record.field(at: start + index).key, date)
        }))
  }

  /// How many fields the blob has of the record that was read last.
  private var fieldCount = 0

  private mutating func object(
    of type: (symbol: TypeSymbol, name: String?), in reader: inout BlobReader, depth: Int
  ) throws -> ObjectRecord {
    guard depth < Self.depthLimit else { throw BlobReader.Problem(description: "it is nested too deeply") }
    let count = try reader.count()
    // A process knows a limited number of types. The others are fields.
    let hasTypeField = type.symbol == .unknown && type.name != nil
    let typeField = hasTypeField ? type.name.map { ObjectRecord.Field(.typename, .string($0)) } : nil
    guard count <= Self.trustedCount else {
      // How many there are is only said. Objects in objects that each say it would take memory for all of them.
      var fields = typeField.map { [$0] } ?? []
      for _ in 0..<count { fields.append(try field(in: &reader, depth: depth)) }
      fieldCount = count
      return .of(fields, type: type.symbol)
    }
    let record = ObjectRecord.make(type: type.symbol, capacity: count + (hasTypeField ? 1 : 0))
    if let typeField { record.append(typeField) }
    for _ in 0..<count { record.append(try field(in: &reader, depth: depth)) }
    fieldCount = count
    return record
  }

  private mutating func field(in reader: inout BlobReader, depth: Int) throws -> ObjectRecord.Field {
    let key = try key(in: &reader)
    return ObjectRecord.Field(key, try value(in: &reader, depth: depth))
  }

  private func key(in reader: inout BlobReader) throws -> FieldKey {
    let number = try reader.number(), name = Int64(number >> 1)
    guard number & 1 == 1 else {
      guard let key = names.field(name) else { throw UnknownName() }
      return key
    }
    guard let text = names.texts[name] else { throw UnknownName() }
    let whole = text + (try reader.text())
    return numbers.withLock { $0.fieldKey(whole) }
  }

  private mutating func type(in reader: inout BlobReader) throws -> (symbol: TypeSymbol, name: String?) {
    guard let number = Int64(exactly: try reader.number()) else { throw UnknownName() }
    if number == 0 { return (.unknown, nil) }
    if let known = types[number] { return (known, nil) }
    guard let name = names.texts[number] else { throw UnknownName() }
    let symbol = TypeSymbol.lookUp(name)
    if symbol != .unknown { types[number] = symbol }
    return (symbol, name)
  }

  private mutating func value(in reader: inout BlobReader, depth: Int) throws -> RecordValue {
    switch try reader.byte() {
    case RecordEncoder.Tag.null: return .null
    case RecordEncoder.Tag.false: return .bool(false)
    case RecordEncoder.Tag.true: return .bool(true)
    case RecordEncoder.Tag.int:
      guard let value = Int(exactly: try reader.signed()) else {
        throw BlobReader.Problem(description: "a number is too large for this device")
      }
      return .int(value)
    case RecordEncoder.Tag.double: return .double(try reader.double())
    case RecordEncoder.Tag.string: return .string(try reader.text())
    case RecordEncoder.Tag.json: return .json(try reader.text())
    case RecordEncoder.Tag.reference: return .reference(try reference(in: &reader))
    case RecordEncoder.Tag.object:
      return .object(try object(of: try type(in: &reader), in: &reader, depth: depth + 1))
    case RecordEncoder.Tag.list: return try list(in: &reader, depth: depth + 1)
    case RecordEncoder.Tag.error:
      guard let error = CachedError(text: try reader.text()) else {
        throw BlobReader.Problem(description: "an error is not JSON")
      }
      return .error(error)
    case let tag: throw BlobReader.Problem(description: "there is no kind of value \(tag)")
    }
  }

  private func reference(in reader: inout BlobReader) throws -> Int32 {
    let key = try reader.text()
    return numbers.withLock { $0.insert(key) }
  }

  /// A list of nothing but references and nulls has a form of its own.
  private mutating func list(in reader: inout BlobReader, depth: Int) throws -> RecordValue {
    guard depth < Self.depthLimit else { throw BlobReader.Problem(description: "it is nested too deeply") }
    let count = try reader.count()
    var values: [RecordValue] = []
    var references: [Int32] = []
    for index in 0..<count {
      let value = try value(in: &reader, depth: depth)
      switch value {
      case .reference(let number) where references.count == index: references.append(number)
      case .null where references.count == index: references.append(-1)
      default:
        if values.isEmpty { values = references.map { $0 < 0 ? .null : .reference($0) } }
        values.append(value)
        references = []
        continue
      }
    }
    return references.count == count && count > 0 ? .references(references) : .list(values)
  }
}
